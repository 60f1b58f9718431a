"""The Flask application that shows and serves one session manager.

It receives all of its parts as arguments. `create_app` starts no thread and opens no port; `web.sockets.server` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from flask import Flask

from companion.core.protocols.eyes import Cameras, NoCameras, NoPhonePictures, PhonePictures
from companion.core.protocols.photographs import NoPhotographReader, PhotographReader
from companion.games import GAMES
from companion.games.rule_pages import Rule, rules_of
from companion.referee.news.news_publisher import NewsPublisher
from companion.referee.players import Coach, ProcessCoach
from companion.referee.results.store import Results
from companion.referee.session_manager import SessionManager
from web import departure as departures
from web.admission.access import Access
from web.admission.phone_camera import PhoneCamera
from web.admission.phones import Phones
from web.admission.request_log import log_requests
from web.admission.security import guard
from web.api import advice, calibration, choosing, devices, door, eyes, hint, journal, people, rules, setup, table
from web.api import lessons as lessons_api
from web.api import phone_camera as phone_camera_api
from web.api import phones as phones_api
from web.api import photos as photos_api
from web.api.choosing import Mats, no_mats
from web.departure import Departure
from web.http.answers import answer_errors
from web.http.bundles import serve_bundles
from web.http.compiled_templates import COMPILED, prose
from web.http.compression import compress_answers
from web.http.settings import WebSettings
from web.language import catalog as language
from web.lessons.classroom import Classroom
from web.lessons.lessons import STREAMS, Lessons
from web.pages import camera, health, pages, printing, remembered, stream
from web.pages import photographs as photographs_page
from web.pages.printing import Kits, no_kits
from web.pages.rulebook import Rulebook
from web.views.table_view import TableView

BODY_BYTES = 256 * 1024
"""The largest size of a request body in bytes."""
TABLE = "table"
"""The name of a house's only table for outside programs."""


def create_app(
    sessions: SessionManager,
    *,
    settings: WebSettings | None = None,
    access: Access | None = None,
    rules_by_game: Callable[[str, str], Sequence[Rule]] = rules_of,
    coach: Coach | None = None,
    cameras: Cameras | None = None,
    mats: Mats = no_mats,
    kits: Kits = no_kits,
    photographs: PhotographReader | None = None,
    results: Results | None = None,
    classroom: Classroom | None = None,
    news: NewsPublisher | None = None,
    phones: Phones | None = None,
    departure: Departure | None = None,
    phone_camera: PhoneCamera | None = None,
    phone_pictures: PhonePictures | None = None,
) -> Flask:
    """Returns the application that serves the page of a session manager.

    Args:
        access: The tokens, tickets and PIN; by default only a browser on this machine is admitted.
        rules_by_game: Returns the numbered rules of a game in a language.
        cameras: The cameras that the host may choose from; by default none.
        mats: Returns the printed mat of a game.
        kits: Returns a whole printed game.
        photographs: The reader of photographs; by default none are read.
        results: The remembered games; by default none.
        classroom: The lesson that the session manager serves, if any; a lesson offers no further lessons.
        news: The publisher of news for outside programs; by default none.
        coach: The source of good moves for hints; by default a process of its own.
        phones: The access of phones to the page; by default according to the settings.
        departure: The removal of the table by the configuration; by default it is never removed.
        phone_camera: The phone that is the camera; by default none can be.
        phone_pictures: Receives the pictures of that phone.
    """
    settings = settings or WebSettings()
    access = access or Access()
    phones = phones or Phones(access, settings)
    phone_camera = phone_camera or PhoneCamera(access.keys)
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = BODY_BYTES
    app.jinja_env.bytecode_cache = COMPILED
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["prose"] = prose
    app.jinja_env.globals["default_game"] = next(iter(GAMES))
    departure = departure or Departure()
    view = TableView(sessions, None if classroom is None else classroom.status, lambda: departure.text)
    live = stream.Live(view, settings)
    book = Rulebook(rules_by_game)
    app.extensions["live"], app.extensions["settings"] = live, settings
    log_requests(app)
    guard(app, settings, access, is_camera=phone_camera.is_camera)
    answer_errors(app)
    language.speak(app)
    serve_bundles(app)
    compress_answers(app)
    app.register_blueprint(pages.routes(view, book, access))
    app.register_blueprint(language.routes())
    app.register_blueprint(stream.routes(live))
    app.register_blueprint(camera.routes(view, settings))
    app.register_blueprint(table.routes(view))
    app.register_blueprint(advice.routes(view))
    app.register_blueprint(hint.routes(view, coach or ProcessCoach()))
    app.register_blueprint(setup.routes(view))
    app.register_blueprint(eyes.routes(view))
    app.register_blueprint(departures.routes(departure, view.eyes))
    app.register_blueprint(choosing.routes(view, cameras or NoCameras(), mats))
    app.register_blueprint(printing.routes(view, access, kits))
    app.register_blueprint(photographs_page.routes(view, access))
    app.register_blueprint(photos_api.routes(view, photographs or NoPhotographReader()))
    app.register_blueprint(calibration.routes(view))
    app.register_blueprint(devices.routes(view))
    app.register_blueprint(health.routes(lambda: {TABLE: sessions} if news is None else news.session_managers(), news))
    app.register_blueprint(rules.routes(book))
    app.register_blueprint(journal.routes(view))
    app.register_blueprint(remembered.routes(view, results))
    app.register_blueprint(door.routes(access, view, phones))
    app.register_blueprint(phones_api.routes(phones))
    app.register_blueprint(phone_camera_api.routes(view, phone_camera, phone_pictures or NoPhonePictures()))
    app.register_blueprint(people.routes(view))
    few = msgspec.structs.replace(settings, subscriptions=STREAMS)
    lessons = Lessons(
        sessions.games,
        lambda room: create_app(room.sessions, settings=few, access=access, classroom=room, phones=phones),
    )
    app.register_blueprint(lessons_api.routes(lessons, classroom))
    app.extensions["lessons"] = lessons
    if classroom is None:
        app.wsgi_app = lessons.beside(app.wsgi_app)  # type: ignore[method-assign, assignment]
    return app

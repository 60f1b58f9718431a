"""A club's hub: a server without a camera that shows the tables of several machines and leads evenings of rounds."""

from __future__ import annotations

from web.hub.app import create_hub_app
from web.hub.machines import Machine, Machines

__all__ = ["Machine", "Machines", "create_hub_app"]

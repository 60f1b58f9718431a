"""`companion rules`: prints the numbered rules of a game, as the referee applies them."""

from __future__ import annotations

import click
import msgspec

from companion.games.rule_pages import Rule, rule_of, rules_of


@click.command("rules")
@click.argument("game")
@click.argument("rule", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each rule.")
def rules_command(game: str, rule: str | None, as_json: bool) -> None:
    """Print the rules of GAME, or only RULE, such as TRI-11."""
    chosen = rules_of(game) if rule is None else (rule_of(game, rule),)
    for one in chosen:
        click.echo(msgspec.json.encode(one).decode("utf-8") if as_json else _text(one))


def _text(rule: Rule) -> str:
    return f"{rule.number} {rule.title}\n{rule.text}\n"

"""Previews of our pages on other sites, and links for sharing."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from games.catalog import game_name
from games.history.replay import Viewpoint
from games.kit.contract import Standing
from games.kit.words import join_words, with_sign
from games.models import Match


def standings_of(match: Match):
    """Return the standings of a finished match, one line per side with its "seats"."""
    sides: dict[int | str, dict[str, Any]] = {}
    for line in match.standings:
        key = line["seat"] if line["team"] is None else f"team {line['team']}"
        sides.setdefault(key, line | {"seats": []})["seats"].append(line["seat"])
    return list(sides.values())


def side_of(line: Standing, names: list[str]) -> str:
    """Return the names of the side in a line of the standings. names: of all players, by seat."""
    return join_words([names[seat] for seat in line["seats"] if seat < len(names)])  # A stored row may be damaged.


class Moment(NamedTuple):
    """A moment of a replay, with its label."""

    move: int | None
    viewpoint: Viewpoint | None
    label: str


NO_MOMENT = Moment(None, None, "")


def social(request: HttpRequest, match: Match, names: list[str], moment: Moment = NO_MOMENT) -> dict[str, str]:
    """Return the preview of a match for other sites, the context of site/social.html.

    moment: of a replay. A blind one does not reveal the result.
    """
    move, viewpoint, label = moment
    blind = bool(viewpoint and viewpoint.blind)
    title = game_name(match.game)
    page = reverse("replay", args=[match.code]) if viewpoint else reverse("match", args=[match.code])
    picture = reverse("card", args=[match.code])
    query = ""
    if move is not None:
        title, query = f"{title}, {label}", f"?move={move}" + ("&open=1" if viewpoint and viewpoint.open else "")
    if blind:
        query += ("&" if query else "?") + "spoilers=off"
    description = join_words(names)
    if match.status == Match.Status.OVER and viewpoint is None:
        description = ", ".join(f"{side_of(line, names)} {with_sign(line['score'])}" for line in standings_of(match))
    return {
        "title": title,
        "description": description,
        "url": request.build_absolute_uri(page + query),
        "picture": request.build_absolute_uri(picture + query),
    }


def share_links(request: HttpRequest, match: Match, move: int, viewpoint: Viewpoint) -> dict[str, str]:
    """Return absolute URLs for sharing a moment of a finished match.

    - "moment": the replay at this move
    - "blind": the same without spoilers
    - "picture": an image of the moment
    - "embed": the replay for a frame on another site
    """
    query: dict[str, Any] = {"move": move, "seat": viewpoint.seat} | ({"open": 1} if viewpoint.open else {})
    seatless = {name: value for name, value in query.items() if name != "seat"}

    def url(name: str, query: dict[str, object]) -> str:
        return request.build_absolute_uri(f"{reverse(name, args=[match.code])}?{urlencode(query)}")

    return {
        "moment": url("replay", query),
        "blind": url("replay", query | {"spoilers": "off"}),
        "picture": url("card", seatless),
        "embed": url("embed", query),
    }

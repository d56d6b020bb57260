"""Links and previews of our pages for other sites."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from games.catalog import game_name
from games.history.replay import Viewpoint
from games.kit.contract import Standing
from games.kit.words import join_words, with_sign
from games.models import Match


class SideStanding(Standing):
    """The standing of a side."""

    seats: list[int]


def standings_of(match: Match) -> list[SideStanding]:
    """Return the standings of a finished match with one line per side, the best first, and the "seats" of each side.

    Partners are one side. In a game without partners, each seat is a side.
    """
    sides: dict[object, SideStanding] = {}
    for line in match.standings:
        key = line["seat"] if line["team"] is None else f"team {line['team']}"
        side = sides.setdefault(key, line | {"seats": []})
        side["seats"].append(line["seat"])
    return list(sides.values())


def side_names(line: SideStanding, names: list[str]) -> str:
    """Return the names of the players of a side, joined by "and". names: of all players, by seat."""
    return join_words([names[seat] for seat in line["seats"] if seat < len(names)])  # A row may be damaged.


class Moment(NamedTuple):
    """A moment of a replay: the index of its move, the viewpoint, and its place in words."""

    move: int | None
    viewpoint: Viewpoint | None
    where: str


NO_MOMENT = Moment(None, None, "")


def preview(request: HttpRequest, match: Match, names: list[str], moment: Moment = NO_MOMENT) -> dict[str, str]:
    """Return the preview that other sites show of a link to a match, for site/social.html.

    names: of the players, by seat. moment: the move, the viewpoint and the place in words that a page of the replay
    shows; without a move for the match as a whole. A replay without spoilers has a preview without the result.
    """
    move, viewpoint, where = moment
    hides_result = bool(viewpoint and viewpoint.blind)
    title = game_name(match.game)
    page = reverse("replay", args=[match.code]) if viewpoint else reverse("match", args=[match.code])
    picture = reverse("card", args=[match.code])
    fields: dict[str, object] = {}
    if move is not None:
        title = f"{title}, {where}"
        fields["move"] = move
        if viewpoint and viewpoint.open:
            fields["open"] = 1
    if hides_result:
        fields["spoilers"] = "off"
    query = f"?{urlencode(fields)}" if fields else ""  # Of the page and of the picture.
    description = join_words(names)
    # A link to a finished match tells its result. A link to its replay does not.
    if match.status == Match.Status.OVER and viewpoint is None:
        description = ", ".join(f"{side_names(line, names)} {with_sign(line['score'])}" for line in standings_of(match))
    return {
        "title": title,
        "description": description,
        "url": request.build_absolute_uri(page + query),
        "picture": request.build_absolute_uri(picture + query),
    }


def share_links(request: HttpRequest, match: Match, move: int, viewpoint: Viewpoint) -> dict[str, str]:
    """Return the addresses for sharing a moment of a finished match.

    - "moment": the replay at this moment
    - "blind": the same without spoilers
    - "picture": a picture of the moment
    - "embed": the replay for a page of another site
    """
    query_without_seat = {"move": move} | ({"open": 1} if viewpoint.open else {})
    query = {"move": move, "seat": viewpoint.seat} | query_without_seat

    def address(name: str, fields: Mapping[str, object]) -> str:
        return request.build_absolute_uri(f"{reverse(name, args=[match.code])}?{urlencode(fields)}")

    return {
        "moment": address("replay", query),
        "blind": address("replay", query | {"spoilers": "off"}),
        "picture": address("card", query_without_seat),
        "embed": address("embed", query),
    }

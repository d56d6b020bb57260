"""What other sites are told of a page of ours, and where somebody finds what may be sent to others."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from games.catalog import game_name
from games.kit.words import join_words, with_sign
from games.models import Match


def standings_of(match):
    """The standings of a match that is over, a line for each side: of partners the first, with "seats"."""
    sides = {}
    for line in match.standings:
        key = line["seat"] if line["team"] is None else f"team {line['team']}"
        sides.setdefault(key, line | {"seats": []})["seats"].append(line["seat"])
    return list(sides.values())


def side_of(line, names):
    """Who a line of the standings is about. names: by seat."""
    return join_words([names[seat] for seat in line["seats"] if seat < len(names)])  # a row may be damaged


class Moment(NamedTuple):
    """A moment of a replay: the index of its move, what is seen of it, and where it is, in words."""

    move: int | None
    sight: Any
    where: str


NO_MOMENT = Moment(None, None, "")


def social(request, match, names, moment=NO_MOMENT):
    """What other sites are told of a page of a match, as a dict for site/social.html.

    moment: of a replay. Of who asked not to be told more, nothing is.
    """
    move, sight, where = moment
    blind = bool(sight and sight.blind)
    title = game_name(match.game)
    page = reverse("replay", args=[match.code]) if sight else reverse("match", args=[match.code])
    picture = reverse("card", args=[match.code])
    query = ""
    if move is not None:
        title, query = f"{title}, {where}", f"?move={move}" + ("&open=1" if sight.open else "")
    if blind:
        query += ("&" if query else "?") + "spoilers=off"
    description = join_words(names)
    if match.status == Match.Status.OVER and sight is None:
        description = ", ".join(f"{side_of(line, names)} {with_sign(line['score'])}" for line in standings_of(match))
    return {
        "title": title,
        "description": description,
        "url": request.build_absolute_uri(page + query),
        "picture": request.build_absolute_uri(picture + query),
    }


def share_links(request, match, move, sight):
    """What may be sent to others of a moment of a match that is over: whole addresses, by what they are.

    "moment" is its replay there, "blind" the same telling nothing of what comes, "picture" its picture, "embed" its
    replay for a page elsewhere.
    """
    asked = {"move": move, "seat": sight.seat} | ({"open": 1} if sight.open else {})
    without = {name: value for name, value in asked.items() if name != "seat"}

    def address(name, query):
        return request.build_absolute_uri(f"{reverse(name, args=[match.code])}?{urlencode(query)}")

    return {
        "moment": address("replay", asked),
        "blind": address("replay", asked | {"spoilers": "off"}),
        "picture": address("card", without),
        "embed": address("embed", asked),
    }

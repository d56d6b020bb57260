"""A player's matches, and what is found inside them: which deals went as it is asked for."""

from functools import reduce
from operator import or_

from django.db.models import Case, Count, Exists, F, Func, IntegerField, OuterRef, Q, Sum, TextField, Value, When
from django.db.models.functions import Concat
from django.db.models.lookups import Exact

from accounts.names import casefold
from accounts.people.online import hides_presence
from games.catalog import get_game
from games.deal_index.answered import deals_in, definition, pattern
from games.deal_index.models import BY_LENGTH, PlayedMatch, SeatFacts
from games.history.lists import SEATS, match_line
from games.models import Match, Seat, counting
from games.notes.keeping import notes_on
from games.notes.models import Note, Tag

PAGE = 25  # matches on a page of a list
COUNTED = 1_000  # matches or deals that are counted at most
OLDER = -1  # matches that answer older questions, in place of the place of a search

# What is asked of a match, by the fields of a PlayedMatch, and of the seat of somebody at one that is not over.
OF_PLAYED = {
    "before": "match_id__lt",
    "began_at": "began_at",
    "game": "game",
    "seats": "seats",
    "speed": "speed",
    "place": "finish",
    "margin_from": "margin__gte",
    "margin_to": "margin__lte",
    "deals_from": "deals__gte",
    "deals_to": "deals__lte",
}
OF_SEAT = {
    "before": "match_id__lt",
    "began_at": "match__created_at",
    "game": "match__game",
    "seats": "match__seat_count",
    "speed": "match__speed",
}
OF_RESULTS = ("place", "margin_from", "margin_to", "deals_from", "deals_to")  # that only a finished match has
RESULTS = {"won": {"finish": 1}, "lost": {"finish__gt": 1}}


def search(user, asked, *, own, apart=frozenset()):
    """A page of a user's matches, newest first.

    asked: the cleaned data of a filter form, with "options" [(game slug, option, value)] and "answers", pairs of a
    Question and an Answer that all have to be true of one deal, and of one seat in it, that "who" tells. "since" and
    "until" are the moments when the first day begins and the last one ends.
    own: for the user's own eyes; others don't see unfinished matches by link only, nor any of users in `apart`, by
    their keys, nor where somebody plays who hides it.
    Returns {"lines", "older", "matches", "deals", "more"}. Of a line "deals" are the numbers of those that fit, and
    "note" what the user has noted, for their own eyes. older: the code to go on before, or "". matches, deals: how many
    there are from here on; deals is None where none is asked for. more: they are not all counted.
    Costs three queries, two more for notes, and no more the further back the page is: pages go on from a match, not
    from a count.
    """
    by_match, last = _found(user, asked, own)
    shown = dict(by_match[:PAGE])
    matches = Match.objects.filter(pk__in=shown).order_by("-id").prefetch_related(SEATS)
    notes = notes_on(user, list(shown)) if own else {}
    lines = [
        match_line(match, user) | {"deals": shown[match.pk] or [], "note": notes.get(match.pk)} for match in matches
    ]
    older = lines[-1]["code"] if len(by_match) > PAGE else ""
    if last and not older:  # of an older version's deals some were looked at in vain
        older = Match.objects.values_list("code", flat=True).get(pk=last)
    return {
        "lines": [line for line in lines if line["over"] or not line["people"] & apart],
        "older": older,
        "matches": len(by_match),
        "deals": sum(len(deals) for _, deals in by_match) if asked["answers"] else None,
        "more": last is not None,
    }


def batches(user, asked, *, own):
    """Yield all that is found, PAGE matches at a time: lists of (match, [number of a deal]), None for all its deals."""
    last = True
    while last:
        by_match, last = _found(user, asked, own)
        for start in range(0, len(by_match), PAGE):
            yield by_match[start : start + PAGE]
        asked = asked | {"before": last}


def counts(user, searches):
    """How much each of some searches finds in a user's own matches: of deals where it asks for deals, else of matches.

    searches: a list, each as `search` has it. One query for all; some more while deals of matches do not answer
    today's questions yet, of which no more than the newest COUNTED matches are looked into.
    """
    inside = {place: asked for place, asked in enumerate(searches) if asked["answers"]}
    rows = _older(user, sorted({asked["game"] for asked in inside.values()})) if inside else []
    for place, asked in enumerate(searches):
        if place in inside:
            hits = Sum(_Hits(_expression(asked)))
            rows += [_tagged(part.filter(_may_fit(asked)), place, hits) for part in _by_length(user, asked, own=True)]
        else:
            rows += [_tagged(part, place, Count("match")) for part in _parts(user, asked, own=True)]
    found, older = [0] * len(searches), []
    for place, number in rows[0].union(*rows[1:], all=True) if rows else ():
        if place == OLDER:
            older.append(number)
        else:
            found[place] += number or 0
    if older:
        newest = sorted(older)[-COUNTED:]
        for place, asked in inside.items():
            rows = PlayedMatch.objects.filter(*_of_played(user, asked, own=True), match__in=newest)
            rows = rows.exclude(questions=definition(asked["game"]))  # those are counted
            by_match = _by_facts(user, asked, list(rows.values_list("match", flat=True)))
            found[place] += sum(map(len, by_match.values()))
    return found


def _older(user, games):
    """The matches of these games that do not answer today's questions: rows (OLDER, match)."""
    answering = reduce(or_, (Q(game=game, questions=definition(game)) for game in games))
    older = PlayedMatch.objects.filter(user=user, game__in=games).exclude(answering)
    return [
        older.filter(part).annotate(asked_as=Value(OLDER, IntegerField())).values_list("asked_as", "match")
        for part in BY_LENGTH
    ]


def _tagged(rows, place, number):
    """One row of a query: (place, the number)."""
    rows = rows.annotate(asked_as=Value(place, IntegerField())).values("asked_as").annotate(found=number)
    return rows.order_by().values_list("asked_as", "found")


class _Hits(Func):
    """How many deals a regular expression finds in the letters of a PlayedMatch."""

    function = "REGEXP_COUNT"
    output_field = IntegerField()

    def __init__(self, expression):
        super().__init__(F("letters"), Value(expression, TextField()))


def know_hits(sender, connection, **_):
    """Teach SQLite what _Hits asks of it."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(
            "REGEXP_COUNT", 2, lambda text, expression: len(deals_in(text, expression)), deterministic=True
        )


def _found(user, asked, own):
    """([(match, [number of a deal])], the last match that was looked at if there are more), newest first.

    COUNTED and more would fill the memory.
    """
    return _deals(user, asked, own) if asked["answers"] else _matches(user, asked, own)


def _matches(user, asked, own):
    """The same of matches: there is None in place of each list of deals."""
    parts = [part.order_by().values_list("match_id") for part in _parts(user, asked, own)]
    if not parts:
        return [], None
    rows = parts[0].union(*parts[1:], all=True)
    found = [match for (match,) in rows.order_by("-match_id")[: COUNTED + 1]]
    return [(match, None) for match in found[:COUNTED]], found[COUNTED - 1] if len(found) > COUNTED else None


def _parts(user, asked, own):
    """The rows asked for: PlayedMatch of finished matches, the user's seats of others. One of them, or both."""
    parts = [PlayedMatch.objects.filter(*_of_played(user, asked, own))] if asked["result"] != "running" else []
    if asked["result"] not in RESULTS and not any(asked[name] not in (None, "") for name in OF_RESULTS):
        parts.append(Seat.objects.filter(*_of_running(user, asked, own)))
    return parts


def _deals(user, asked, own):
    """As `_found`, of deals. No match is there in part."""
    game, expression = asked["game"], _expression(asked)
    fits = _may_fit(asked) & Q(letters__regex=expression)
    known = Case(When(questions=definition(game), then=F("letters")), default=Value(None), output_field=TextField())
    short, long = (
        part.filter(fits | ~Q(questions=definition(game))).order_by().values_list("match_id", known)
        for part in _by_length(user, asked, own)
    )
    rows = list(short.union(long, all=True).order_by("-match_id")[: COUNTED + 1])
    of_others = _by_facts(user, asked, [match for match, letters in rows if letters is None])
    found, number = [], 0
    for match, letters in rows[:COUNTED]:
        deals = of_others.get(match, []) if letters is None else deals_in(letters, expression)
        number += len(deals)
        if number > COUNTED and found:
            return found, found[-1][0]
        if deals:
            found.append((match, deals))
    return found, rows[COUNTED - 1][0] if len(rows) > COUNTED else None


def _expression(asked):
    return pattern(get_game(asked["game"]), asked["answers"], asked["who"])[1]


def _by_length(user, asked, own):
    """The PlayedMatch rows asked for, whatever their deals are: with short letters, and with long ones."""
    found = PlayedMatch.objects.filter(*_of_played(user, asked, own))
    return [found.filter(part) for part in BY_LENGTH]


def _may_fit(asked):
    """The condition that all letters are there that are asked for of a deal, and that they answer today's questions.

    It is quicker to find out than whether they are of one deal.
    """
    letters, _ = pattern(get_game(asked["game"]), asked["answers"], asked["who"])
    # Not by its index, which PostgreSQL thinks worth reading, though it has the rows of everybody.
    questions = Exact(Concat("questions", Value("")), definition(asked["game"]))
    return Q(questions, *(Q(letters__contains=each) for each in letters))


def _by_facts(user, asked, matches):
    """{match: [number of a deal]} of some matches of which only the facts are known, the last deal first."""
    if not matches:
        return {}
    of_deal, of_seat = {}, {}
    for question, answer in asked["answers"]:
        names = of_seat if question.of_seat else of_deal
        column = question.fact if question.fact in ("points", "score") else f"facts__{question.fact}"
        prefix = "" if question.of_seat else "deal__"
        ending = "" if answer.compared == "exact" else f"__{answer.compared}"
        names[f"{prefix}{column}{ending}"] = answer.value
    rows = SeatFacts.objects.filter(seat__user=user, seat__match__in=matches, **of_deal)
    if not of_seat or not asked["who"]:
        rows = rows.filter(**of_seat)
    else:
        somebody = SeatFacts.objects.filter(deal=OuterRef("deal"), **of_seat)
        if asked["who"] == "partner":
            somebody = somebody.filter(seat__team=OuterRef("seat__team")).exclude(seat=OuterRef("seat"))
        elif asked["who"] == "opponent":
            somebody = somebody.filter(_against("seat__", "seat__team")).exclude(seat=OuterRef("seat"))
        rows = rows.filter(Exists(somebody))
    found = {}
    for match, deal in rows.order_by("-deal__number").values_list("seat__match_id", "deal__number"):
        found.setdefault(match, []).append(deal)
    return found


def _against(prefix, own_team):
    """The condition that a seat plays against another, whose team is of this name in the outer query."""
    return Q(**{f"{prefix}team__isnull": True}) | ~Q(**{f"{prefix}team": OuterRef(own_team)})


def _of_played(user, asked, own):
    """What is asked of a PlayedMatch, as a list of conditions."""
    wanted = Q(user=user, **RESULTS.get(asked["result"], {}))
    if asked["result"] == "running":
        wanted &= Q(pk__in=[])  # whatever is asked of its deals: none is over
    for name, yes in (("rated", "yes"), ("left", "yes"), ("bots", "with")):
        if asked[name]:
            wanted &= Q(**{name: asked[name] == yes})
    return [wanted, *_of_both(user, asked, own, OF_PLAYED, PlayedMatch.objects.all())]


def _of_running(user, asked, own):
    """What is asked of somebody's seat at a match that is not over, as a list of conditions."""
    wanted = Q(counting("match__"), user=user, finish=None)
    conditions = [wanted, Q(match__status__in=Match.RUNNING)]
    if not own:
        conditions.append(Q(pk__in=[]) if hides_presence(user) else Q(match__listed=True))
    if asked["rated"]:
        conditions.append(Q(match__rated=asked["rated"] == "yes"))
    here = Seat.objects.filter(match=OuterRef("match_id"))
    if asked["bots"]:
        bots = Exists(here.filter(~Q(bot="") & Q(left_at=None) | Q(user__is_program=True)))
        conditions.append(bots if asked["bots"] == "with" else ~bots)
    if asked["left"]:
        left = Exists(here.filter(left_at__isnull=False))
        conditions.append(left if asked["left"] == "yes" else ~left)
    return conditions + _of_both(user, asked, own, OF_SEAT, Seat.objects.all())


def _values(asked, columns):
    return {column: asked[name] for name, column in columns.items() if asked.get(name) not in (None, "")}


def _of_both(user, asked, own, columns, others):
    """What is asked of both. others: the rows of all who sat there, of the same model."""
    conditions = [Q(**_values(asked, columns))]
    if asked["since"]:
        conditions.append(Q(**{f"{columns['began_at']}__gte": asked["since"]}))
    if asked["until"]:
        conditions.append(Q(**{f"{columns['began_at']}__lt": asked["until"]}))
    for game, option, value in asked["options"]:
        conditions.append(Q(**{columns["game"]: game, f"match__options__{option}": value}))
    here = others.filter(match=OuterRef("match_id"))
    sides = {"player": Q(), "partner": Q(team=OuterRef("team")), "against": _against("", "team")}
    for name, side in sides.items():
        if asked[name]:
            conditions.append(Exists(here.filter(side, user__casefolded_name=casefold(asked[name]))))
    return conditions + (_of_notes(user, asked) if own else [])


def _of_notes(user, asked):
    """What the user has to have noted of a match, as a list of conditions."""
    notes = Note.objects.filter(user=user, match=OuterRef("match_id"))
    conditions = []
    if asked.get("starred"):
        conditions.append(Exists(notes.filter(starred=True)))
    if asked.get("tag"):
        tags = Tag.objects.filter(name=asked["tag"].strip().lower())
        conditions.append(Exists(notes.filter(Exists(tags.filter(note=OuterRef("pk"))))))
    if asked.get("noted"):
        conditions.append(Exists(notes.filter(text__icontains=asked["noted"])))
    return conditions

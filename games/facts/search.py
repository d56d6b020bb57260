"""A player's matches, and what is found inside them: which deals went as it is asked for."""

from datetime import date, datetime, time, timedelta
from itertools import chain, groupby
from operator import itemgetter

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, Value
from django.utils import timezone

from accounts.names import casefold
from accounts.people.online import hides_presence
from games.facts.models import SeatFacts
from games.history.lists import SEATS, match_line
from games.models import Match, Seat, counting
from games.notes.keeping import notes_on
from games.notes.models import Note, Tag

PAGE = 25  # matches on a page of a list
COUNTED = 2_000  # matches or deals that are counted at most

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(3000, 1, 1)  # within what every time zone and database can count

RESULTS = {
    "won": {"finish": 1},
    "lost": {"finish__gt": 1},
    "running": {"match__status__in": Match.RUNNING},
}


def search(user, asked, *, own, apart=frozenset()):
    """A page of a user's matches, newest first.

    asked: the cleaned data of a filter form, with "options" [(game slug, option, value)] and "answers", pairs of a
    Question and an Answer that all have to be true of one deal, and of one seat in it, that "who" tells.
    own: for the user's own eyes; others don't see unfinished matches by link only, nor any of users in `apart`, by
    their keys, nor where somebody plays who hides it.
    Returns {"lines", "older", "matches", "deals", "more"}. Of a line "deals" are the numbers of those that fit, and
    "note" what the user has noted, for their own eyes. older: the code to go on before, or "". matches, deals: how many
    there are from here on; deals is None where none is asked for. more: they are not all counted.
    Costs three queries, two more for notes, and no more the further back the page is: pages go on from a match, not
    from a count.
    """
    by_match, more = _found(user, asked, own)
    shown = dict(by_match[:PAGE])
    matches = Match.objects.filter(pk__in=shown).order_by("-id").prefetch_related(SEATS)
    notes = notes_on(user, list(shown)) if own else {}
    lines = [
        match_line(match, user) | {"deals": [deal for deal in shown[match.pk] if deal], "note": notes.get(match.pk)}
        for match in matches
    ]
    return {
        "lines": [line for line in lines if line["over"] or not line["people"] & apart],
        "older": lines[-1]["code"] if len(by_match) > PAGE else "",
        "matches": len(by_match),
        "deals": sum(len(deals) for _, deals in by_match) if asked["answers"] else None,
        "more": more,
    }


def batches(user, asked, *, own):
    """Yield all that is found, PAGE matches at a time: lists of (match, [number of a deal]), None for all its deals."""
    more = True
    while more:
        by_match, more = _found(user, asked, own)
        for start in range(0, len(by_match), PAGE):
            yield by_match[start : start + PAGE]
        if more:
            asked = asked | {"before": by_match[-1][0]}


def counts(user, searches):
    """How much each of some searches finds in a user's own matches: of deals where it asks for deals, else of matches.

    searches: a list, each as `search` has it. One query for all.
    """
    rows = [
        (_deals_asked if asked["answers"] else _matches_asked)(user, asked, own=True)
        .order_by()
        .annotate(asked_as=Value(place, IntegerField()))
        .values("asked_as")
        .annotate(found=Count("pk"))
        .values_list("asked_as", "found")
        for place, asked in enumerate(searches)
    ]
    found = dict(rows[0].union(*rows[1:], all=True).order_by() if len(rows) > 1 else chain(*rows))
    return [found.get(place, 0) for place in range(len(rows))]


def _found(user, asked, own):
    """([(match, [number of a deal])], whether there are more), newest first. COUNTED and more would fill the memory."""
    found = _deals(user, asked, own) if asked["answers"] else _matches(user, asked, own)
    by_match = [(match, [deal for _, deal in deals]) for match, deals in groupby(found, itemgetter(0))]
    more = len(found) > COUNTED
    # Of the last one not all deals may be there.
    return (by_match[:-1] if more else by_match), more


def _matches(user, asked, own):
    """[(match, None)] of the user's matches, newest first."""
    seats = _matches_asked(user, asked, own).order_by("-match_id").values_list("match_id", flat=True)
    return [(match, None) for match in seats[: COUNTED + 1]]


def _matches_asked(user, asked, own):
    """The user's seats at the matches that are asked for."""
    return Seat.objects.filter(*_conditions(user, asked, own, ""))


def _deals(user, asked, own):
    """[(match, number of a deal)], newest first."""
    rows = _deals_asked(user, asked, own).order_by("-seat__match_id", "-deal__number")
    return list(rows.values_list("seat__match_id", "deal__number")[: COUNTED + 1])


def _deals_asked(user, asked, own):
    """The SeatFacts of the user's own seats in the deals that are asked for: it goes through these, and no others."""
    of_deal, of_seat = {}, {}
    for question, answer in asked["answers"]:
        names = of_seat if question.of_seat else of_deal
        column = question.fact if question.fact in ("points", "score") else f"facts__{question.fact}"
        prefix = "" if question.of_seat else "deal__"
        ending = "" if answer.compared == "exact" else f"__{answer.compared}"
        names[f"{prefix}{column}{ending}"] = answer.value
    rows = SeatFacts.objects.filter(*_conditions(user, asked, own, "seat__"), **of_deal)
    if not of_seat or not asked["who"]:
        rows = rows.filter(**of_seat)
    else:
        somebody = SeatFacts.objects.filter(deal=OuterRef("deal"), **of_seat)
        if asked["who"] == "partner":
            somebody = somebody.filter(seat__team=OuterRef("seat__team")).exclude(seat=OuterRef("seat"))
        elif asked["who"] == "opponent":
            somebody = somebody.filter(_against("seat__", "seat__team")).exclude(seat=OuterRef("seat"))
        rows = rows.filter(Exists(somebody))
    return rows


def _against(prefix, own_team):
    """The condition that a seat plays against another, whose team is of this name in the outer query."""
    return Q(**{f"{prefix}team__isnull": True}) | ~Q(**{f"{prefix}team": OuterRef(own_team)})


def _conditions(user, asked, own, prefix):
    """What the matches have to be like, as a list of Q. prefix: of the user's seat in the query."""
    match = f"{prefix}match__"
    wanted = {f"{prefix}user": user}
    others = [counting(match), ~Q(**{f"{match}status": Match.Status.CLOSED})]
    if not own:
        shown = Q(**{f"{match}status": Match.Status.OVER})
        others.append(shown if hides_presence(user) else shown | Q(**{f"{match}listed": True}))
    columns = {
        "before": f"{prefix}match_id__lt",
        "game": f"{match}game",
        "seats": f"{match}seat_count",
        "speed": f"{match}speed",
        "place": f"{prefix}finish",
        "margin_from": f"{match}facts__margin__gte",
        "margin_to": f"{match}facts__margin__lte",
        "deals_from": f"{match}facts__deals__gte",
        "deals_to": f"{match}facts__deals__lte",
    }
    wanted |= {column: asked[name] for name, column in columns.items() if asked[name] not in (None, "")}
    if asked["rated"]:
        wanted[f"{match}rated"] = asked["rated"] == "yes"
    wanted |= {f"{prefix}{column}": value for column, value in RESULTS.get(asked["result"], {}).items()}
    if asked["since"]:
        wanted[f"{match}created_at__gte"] = _start_of(asked["since"])
    if asked["until"]:
        wanted[f"{match}created_at__lt"] = _start_of(asked["until"]) + timedelta(days=1)
    conditions = [Q(**wanted), *others]
    for game, option, value in asked["options"]:
        conditions.append(Q(**{f"{match}game": game, f"{match}options__{option}": value}))
    if own:
        conditions += _of_notes(user, asked, prefix)
    return conditions + list(_of_seats(asked, prefix))


def _of_notes(user, asked, prefix):
    """What the user has to have noted of a match, as a list of conditions."""
    notes = Note.objects.filter(user=user, match=OuterRef(f"{prefix}match_id"))
    conditions = []
    if asked.get("starred"):
        conditions.append(Exists(notes.filter(starred=True)))
    if asked.get("tag"):
        tags = Tag.objects.filter(name=asked["tag"].strip().lower())
        conditions.append(Exists(notes.filter(Exists(tags.filter(note=OuterRef("pk"))))))
    if asked.get("noted"):
        conditions.append(Exists(notes.filter(text__icontains=asked["noted"])))
    return conditions


def _of_seats(asked, prefix):
    """Yield what the other seats of a match have to be like."""
    here = Seat.objects.filter(match=OuterRef(f"{prefix}match_id"))
    team = f"{prefix}team"

    def sits(name, *conditions):
        return Exists(here.filter(*conditions, user__casefolded_name=casefold(name)))

    if asked["player"]:
        yield sits(asked["player"])
    if asked["partner"]:
        yield sits(asked["partner"], Q(team=OuterRef(team)))
    if asked["against"]:
        yield sits(asked["against"], _against("", team))
    if asked["bots"]:
        bots = Exists(here.filter(~Q(bot="") & Q(left_at=None) | Q(user__is_program=True)))
        yield bots if asked["bots"] == "with" else ~bots
    if asked["left"]:
        left = Exists(here.filter(left_at__isnull=False))
        yield left if asked["left"] == "yes" else ~left


def _start_of(day):
    """The moment at which a day begins; a day too early or too late for any match stands for another such."""
    day = min(max(day, FIRST_DAY), LAST_DAY)
    return timezone.make_aware(datetime.combine(day, time.min))

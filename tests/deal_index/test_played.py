"""The rows that searches go through: that they are there, and right, at any time; and how much filters find."""

import re
from string import ascii_letters

import pytest
from django.core.management import call_command
from django.db.models import F, Value
from django.db.models.functions import Concat

from accounts.models import User
from games.catalog import all_games, get_game
from games.deal_index import answered, making, models, played, search
from games.deal_index.models import PlayedMatch, SeatFacts
from games.history.records import export_match, import_match
from games.kit.facts import DealFacts, compare
from games.models import Match, Seat
from games.notes import notebook
from games.pages.filters import FilterForm, saved_filters
from games.play import seating
from games.statistics import figures
from tests import opening
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def match(ana, boris):
    """A finished match of Belot of Ana, Boris and two bots, whose facts are not stored yet."""
    opened = opening.open_table(ana, "belot", seats=4, bots=2, options={"target": 51}, seed="12" * 32)
    return Match.objects.get(code=play_on(seating.sit_down(boris, opened.code)).code)


def form_of(**fields):
    form = FilterForm({key.replace("__", "."): value for key, value in fields.items()})
    assert form.is_valid()
    return form


def deals_found(user, **fields):
    form = form_of(**fields)
    return [line["deals"] for line in search.search(user, form.criteria, own=True)["lines"]]


def every_answer(user, game="belot"):
    """What is found for each answer to each question, of whom it may be asked."""
    return {
        (question.fact, answer.slug, who): deals_found(
            user, game=game, who=who, **{f"deal__{question.fact}": answer.slug}
        )
        for question in get_game(game).questions
        for answer in question.answers
        for who in ("", "partner", "opponent", "anybody")
    }


def test_the_answers_of_a_deal_are_letters_of_their_seats():
    game = get_game("oh-hell")
    seats = ({"bid": 0, "tricks": 0, "off": 0}, {"bid": 1, "tricks": 2, "off": 1})
    deals = {3: DealFacts({"cards": 2, "trump": "H", "over_under": -1}, seats)}

    text = answered.encode_match(game, deals, {0: "=", 1: "-"})

    assert re.fullmatch("/3E1F2G1=A0B0C0-A1B2C2C5", text)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_question_and_answer_has_a_letter(game):
    assert len(game.questions) <= 26
    assert all(len(question.answers) <= len(answered.ANSWERS) for question in game.questions)


def test_a_match_is_in_the_lists_as_soon_as_it_is_over(match, ana):
    assert deals_found(ana) == deals_found(ana, result="won") + deals_found(ana, result="lost") == [[]]
    assert deals_found(ana, deals_from="1") == []  # what its facts say comes with them
    making.store_missing()
    assert deals_found(ana, deals_from="1") == [[]]


def test_letters_find_what_the_facts_say(match, ana):
    making.store_facts(match)
    by_letters = every_answer(ana)
    PlayedMatch.objects.update(letters="", questions="older")

    assert every_answer(ana) == by_letters
    assert sum(map(len, by_letters.values())) > 10


def test_rows_that_answer_other_questions_are_written_anew(match, ana):
    making.store_facts(match)
    wanted = list(PlayedMatch.objects.order_by("pk").values())
    PlayedMatch.objects.update(letters="", questions="")

    assert making.store_outdated() == 1

    assert list(PlayedMatch.objects.order_by("pk").values()) == wanted
    assert making.store_outdated() == 0


def test_rows_that_differ_are_found_and_written_anew(match):
    making.store_facts(match)
    PlayedMatch.objects.update(letters="/1")
    assert making.differs(match)

    call_command("facts", match.code, stdout=None)

    assert not making.differs(match)


def test_a_deleted_account_takes_its_rows_along_and_no_others(match, ana, boris):
    making.store_facts(match)
    before = every_answer(ana)

    User.objects.get(pk=boris.pk).delete()

    assert [row.user_id for row in PlayedMatch.objects.all()] == [ana.pk]
    assert every_answer(ana) == before
    assert not making.differs(match)


def test_a_guest_who_becomes_a_member_keeps_the_record(match, boris):
    making.store_facts(match)
    User.objects.filter(pk=boris.pk).update(is_guest=True)
    before = every_answer(boris)
    User.objects.filter(pk=boris.pk).update(is_guest=False, username="Somebody")

    assert every_answer(User.objects.get(pk=boris.pk)) == before


def test_results_and_partners_are_counted(match, ana, boris):
    Seat.objects.filter(match=match, user=boris).update(team=match.seats.get(user=ana).team)
    making.store_facts(match)
    won = int(match.seats.get(user=ana).finish == 1)

    assert played.results(ana) == {"played": 1, "won": won}
    assert figures.partners(ana) == [(boris.username, 1, won)]


@pytest.mark.parametrize("asked", ["place=1", "margin_from=1", "deals_to=3"])
def test_what_only_finished_matches_have_is_found_of_none_in_progress(as_ana, ana, match, asked):
    making.store_facts(match)

    assert as_ana.get(f"/matches/?result=running&{asked}").status_code == 200
    assert deals_found(ana, game="belot", result="running", deal__contract="h") == []
    assert search.search(ana, form_of(result="running", place="1").criteria, own=True)["lines"] == []


def test_one_match_that_cannot_be_answered_holds_no_other_up(match, ana, boris):
    opened = opening.open_table(ana, "belot", seats=4, bots=3, options={"target": 51}, seed="34" * 32)
    other = Match.objects.get(code=play_on(opened).code)
    for each in (match, other):
        making.store_facts(each)
    right = dict(PlayedMatch.objects.values_list("pk", "letters"))
    PlayedMatch.objects.update(questions="old", letters="")
    SeatFacts.objects.filter(deal__match=match, seat__number=2).delete()

    try:
        while making.store_outdated():
            pass
    finally:
        making.forget()

    answered = {row.pk: row.letters for row in PlayedMatch.objects.filter(match=other)}
    assert answered == {pk: right[pk] for pk in answered}


def test_a_match_without_facts_is_not_one_of_no_deals(match, ana):
    making._failed.add(match.pk)
    try:
        making.store_outdated()
    finally:
        making.forget()

    assert PlayedMatch.objects.get(user=ana).deals is None


def test_rows_of_who_no_longer_sat_there_go(match, ana, users):
    making.store_facts(match)
    Seat.objects.filter(match=match, user=ana).update(user=users[2])

    played.store_rows(match)

    assert not PlayedMatch.objects.filter(match=match, user=ana).exists()


OF_MATCHES = ("", "result=won", "result=running", "player=Boris", "place=2", "starred=yes", "tag=study", "left=yes")
LONG = "/0" + "=" * models.SHORT  # a deal of which nothing is true


@pytest.fixture
def records(users):
    """Finished matches of Belot and Oh Hell, as records."""
    found = []
    for game, seats, options in (("belot", 4, {"target": 51}), ("oh-hell", 3, {"game_style": "short-up"})):
        opened = opening.open_table(
            users[0], game, seats=seats, bots=seats - 2, options=options, seed=f"{seats:064x}", speed="untimed"
        )
        match = Match.objects.get(code=play_on(seating.sit_down(users[1], opened.code)).code)
        making.store_facts(match)
        found.append(export_match(match))
    return found


def asked(query):
    form = FilterForm(dict(part.split("=") for part in query.split("&") if part))
    assert form.is_valid(), form.errors
    return form.criteria


def drawn_query(rng):
    """Something to search for: of matches, or of the deals of a game, and perhaps of both."""
    parts = [rng.choice(OF_MATCHES)]
    if rng.random() < 0.8:
        game = rng.choice([game for game in all_games() if game.slug in ("belot", "oh-hell")])
        parts += [f"game={game.slug}", f"who={rng.choice(['', 'partner', 'opponent', 'anybody'])}"]
        for question in rng.sample(game.questions, rng.choice((1, 1, 2))):
            parts.append(f"deal.{question.fact}={rng.choice(question.answers).slug}")
    return "&".join(filter(None, parts))


def plainly(user, query):
    """How much it finds, reckoned from the facts of each match that is found without what is asked of its deals."""
    wanted = asked(query)
    found = [match for page in search.batches(user, wanted | {"answers": []}, own=True) for match, _ in page]
    if not wanted["answers"]:
        return len(found)
    return sum(_fits(deal, user, wanted) for deal in models.DealFacts.objects.filter(match__in=found))


def _fits(deal, user, wanted):
    seats = {
        row.seat: {"points": row.points, "score": row.score} | row.facts
        for row in SeatFacts.objects.filter(deal=deal).select_related("seat")
    }
    mine = next(seat for seat in seats if seat.user_id == user.pk)
    together = [seat for seat in seats if seat.team is not None and seat.team == mine.team and seat != mine]
    whose = {"": [mine], "partner": together, "anybody": list(seats)}
    whose["opponent"] = [seat for seat in seats if seat != mine and seat not in together]

    def holds(facts, of_seat):
        pairs = [(question, answer) for question, answer in wanted["answers"] if question.of_seat == of_seat]
        return all(compare(facts.get(question.fact), answer.value, answer.compared) for question, answer in pairs)

    of_seats = any(question.of_seat for question, _ in wanted["answers"])
    return holds(deal.facts, False) and (not of_seats or any(holds(seats[seat], True) for seat in whose[wanted["who"]]))


def happen(rng, users, records):
    """Something that changes what is found, of what players, hosts and processes of older versions do."""
    match = Match.objects.filter(status=Match.Status.OVER).order_by("?").first()
    what = rng.choice(["ends", "imported", "long", "older", "unmade", "noted", "deleted", "opened", "renamed"])
    if what == "deleted" and match:
        match.delete()
    elif what == "noted" and match:
        notebook.note(users[0], match, starred=rng.random() < 0.5, text="", tags=rng.choice(["", "study"]))
    elif what == "opened":
        opening.open_table(users[0], "belot", seats=4, bots=0)
    elif what == "renamed":
        User.objects.filter(pk=users[1].pk).update(username="Boris", casefolded_name=rng.choice(["boris", "b"]))
    elif what in ("long", "older") and match:
        changed = {"letters": Concat("letters", Value(LONG))} if what == "long" else {"letters": "", "questions": "x"}
        PlayedMatch.objects.filter(match=match).exclude(letters="").update(**changed)
    elif what in ("ends", "imported", "unmade"):
        _import(
            rng.choice(records),
            users,
            ended_at="2020-01-01T00:00Z" if what == "imported" else None,
            keep=what != "unmade",
        )


def _import(record, users, ended_at, keep):
    match = import_match(record)
    for number, user in enumerate(users[:2]):
        match.seats.filter(number=number).update(user=user)
    if ended_at:
        Match.objects.filter(pk=match.pk).update(ended_at=ended_at)
    if keep:
        making.store_facts(match)


def test_counts_are_what_searches_find_whatever_has_happened(users, records, rng):
    for _ in range(12):
        happen(rng, users, records)
        queries = [drawn_query(rng) for _ in range(6)]

        found = search.counts(users[0], [asked(query) for query in queries])

        assert dict(zip(queries, found, strict=True)) == {query: plainly(users[0], query) for query in queries}
        assert found == [_on_pages(users[0], query) for query in queries]


def _on_pages(user, query):
    """How much the pages of the search itself show."""
    wanted = asked(query)
    pages = search.batches(user, wanted, own=True)
    return sum(len(deals) if wanted["answers"] else 1 for page in pages for _, deals in page)


def test_counts_follow_an_account_that_is_deleted_and_a_filter_that_changes(users, records):
    ana, boris, *_ = users
    before = plainly(ana, "game=belot&who=opponent&deal.points=lost")
    notebook.save_filter(ana, "Mine", "game=belot&who=opponent&deal.points=lost")
    assert [line["count"] for line in saved_filters(ana)] == [before]

    notebook.save_filter(ana, "Mine", "player=Boris")
    with_boris = [line["count"] for line in saved_filters(ana)]
    boris.delete()

    assert with_boris == [Seat.objects.filter(user=ana).count()]
    assert [line["count"] for line in saved_filters(ana)] == [0]
    assert search.counts(ana, [asked("game=belot&who=opponent&deal.points=lost")]) == [before]


def test_letters_that_are_too_long_for_the_index_are_stored_and_found(users, records):
    ana = users[0]
    wanted = asked("game=belot&who=anybody&deal.points=lost")
    before = list(search.batches(ana, wanted, own=True))

    PlayedMatch.objects.update(letters=Concat(F("letters"), Value(LONG)))

    assert list(search.batches(ana, wanted, own=True)) == before
    assert search.counts(ana, [wanted]) == [sum(len(deals) for page in before for _, deals in page)]


def test_the_longest_letters_of_the_index_fit_into_it(records, rng):
    text = "".join(rng.choices(ascii_letters, k=models.SHORT))  # of which nothing repeats itself
    longest = {"game": "g" * 32, "speed": "s" * 16, "questions": "q" * 8}

    assert PlayedMatch.objects.update(letters=text, margin=0.1, deals=1, team=1, **longest)

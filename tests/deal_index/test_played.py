"""The rows that searches go through: what they say of each deal, and that they are there, and right, at any time."""

import re

import pytest
from django.core.management import call_command

from accounts.models import User
from games.catalog import all_games, get_game
from games.deal_index import answered, making, played
from games.deal_index.models import PlayedMatch, SeatFacts
from games.deal_index.search import search
from games.kit.facts import DealFacts
from games.models import Match, Seat
from games.pages.filters import FilterForm
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
    return [line["deals"] for line in search(user, form.asked, own=True)["lines"]]


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

    text = answered.text_of(game, deals, {0: "=", 1: "-"})

    assert re.fullmatch("/3(D1E.F1)=A0B0C0-A1B2C2", text)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_question_and_answer_has_a_letter(game):
    assert len(game.questions) <= 26
    assert all(len(question.answers) <= len(answered.ANSWERS) for question in game.questions)


def test_a_match_is_in_the_lists_as_soon_as_it_is_over(match, ana):
    assert deals_found(ana) == deals_found(ana, result="won") + deals_found(ana, result="lost") == [[]]
    assert deals_found(ana, deals_from="1") == []  # what its facts say comes with them
    making.keep_missing()
    assert deals_found(ana, deals_from="1") == [[]]


def test_letters_find_what_the_facts_say(match, ana):
    making.keep(match)
    by_letters = every_answer(ana)
    PlayedMatch.objects.update(letters="", questions="older")

    assert every_answer(ana) == by_letters
    assert sum(map(len, by_letters.values())) > 10


def test_rows_that_answer_other_questions_are_written_anew(match, ana):
    making.keep(match)
    wanted = list(PlayedMatch.objects.order_by("pk").values())
    PlayedMatch.objects.update(letters="", questions="")

    assert making.keep_outdated() == 1

    assert list(PlayedMatch.objects.order_by("pk").values()) == wanted
    assert making.keep_outdated() == 0


def test_rows_that_differ_are_found_and_written_anew(match):
    making.keep(match)
    PlayedMatch.objects.update(letters="/1")
    assert making.differs(match)

    call_command("facts", match.code, stdout=None)

    assert not making.differs(match)


def test_a_deleted_account_takes_its_rows_along_and_no_others(match, ana, boris):
    making.keep(match)
    before = every_answer(ana)

    User.objects.get(pk=boris.pk).delete()

    assert [row.user_id for row in PlayedMatch.objects.all()] == [ana.pk]
    assert every_answer(ana) == before
    assert not making.differs(match)


def test_a_guest_who_becomes_a_member_keeps_the_record(match, boris):
    making.keep(match)
    User.objects.filter(pk=boris.pk).update(is_guest=True)
    before = every_answer(boris)
    User.objects.filter(pk=boris.pk).update(is_guest=False, username="Somebody")

    assert every_answer(User.objects.get(pk=boris.pk)) == before


def test_results_and_partners_are_counted(match, ana, boris):
    Seat.objects.filter(match=match, user=boris).update(team=match.seats.get(user=ana).team)
    making.keep(match)
    won = int(match.seats.get(user=ana).finish == 1)

    assert played.results(ana) == {"played": 1, "won": won}
    assert figures.partners(ana) == [(boris.username, 1, won)]


@pytest.mark.parametrize("asked", ["place=1", "margin_from=1", "deals_to=3"])
def test_what_only_finished_matches_have_is_found_of_none_in_progress(client, ana, match, asked):
    making.keep(match)
    client.force_login(ana)

    assert client.get(f"/matches/?result=running&{asked}").status_code == 200
    assert deals_found(ana, game="belot", result="running", deal__contract="h") == []
    assert search(ana, form_of(result="running", place="1").asked, own=True)["lines"] == []


def test_one_match_that_cannot_be_answered_holds_no_other_up(match, ana, boris):
    opened = opening.open_table(ana, "belot", seats=4, bots=3, options={"target": 51}, seed="34" * 32)
    other = Match.objects.get(code=play_on(opened).code)
    for each in (match, other):
        making.keep(each)
    right = dict(PlayedMatch.objects.values_list("pk", "letters"))
    PlayedMatch.objects.update(questions="old", letters="")
    SeatFacts.objects.filter(deal__match=match, seat__number=2).delete()

    try:
        while making.keep_outdated():
            pass
    finally:
        making.forget()

    answered = {row.pk: row.letters for row in PlayedMatch.objects.filter(match=other)}
    assert answered == {pk: right[pk] for pk in answered}


def test_a_match_without_facts_is_not_one_of_no_deals(match, ana):
    making._failed.add(match.pk)
    try:
        making.keep_outdated()
    finally:
        making.forget()

    assert PlayedMatch.objects.get(user=ana).deals is None


def test_rows_of_who_no_longer_sat_there_go(match, ana, users):
    making.keep(match)
    Seat.objects.filter(match=match, user=ana).update(user=users[2])

    played.keep(match)

    assert not PlayedMatch.objects.filter(match=match, user=ana).exists()

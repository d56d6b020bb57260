"""A first deal with a guide: prepared, one deal long, followed by notes, and counted for nothing."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.export import counts
from games.catalog import all_games, get_game
from games.deal_index import making
from games.deal_index.played import results
from games.history import lists, verification
from games.models import Match, Seat
from games.play import due, moves, seating
from games.play.errors import Refused
from games.play.opening import open_guide, open_once
from games.play.origins import SeatRequest
from games.play.repair import differences
from games.statistics.figures import partners
from tests import opening
from tests.matches import play_on, sensible
from tests.play.acting import play_first

GAMES = [game.slug for game in all_games() if game.guide]


def notes_met(user, game, choose):
    """The names of the notes that a player meets in the deal of a guide, in order, and the Snapshot at its end."""
    met = {}

    def look(snapshot):
        seat, to_act = snapshot.player_number(user.pk), snapshot.to_act
        table = snapshot.rules.view(snapshot.state, seat)
        legal = snapshot.rules.legal_moves(snapshot.state) if to_act == seat else []
        met.update(dict.fromkeys(note["name"] for note in get_game(game).guide.notes_for(table, legal)))
        return False

    over = play_on(opening.open_guide(user, game), choose=choose, until=look)
    look(over)
    return list(met), over


@pytest.mark.parametrize("game", GAMES)
def test_prepared_deal_is_met_with_seven_to_twelve_notes(ana, game):
    met, over = notes_met(ana, game, sensible)

    assert 7 <= len(met) <= 12
    assert met[-1] == "end"
    assert over.is_guided_to_end


@pytest.mark.parametrize("game", GAMES)
def test_notes_go_with_whatever_is_played(ana, game, rng):
    def anything(snapshot):
        return rng.choice(snapshot.rules.legal_moves(snapshot.state))

    met, over = notes_met(ana, game, anything)

    guide = get_game(game).guide
    closing = guide.notes_for(over.rules.view(over.state, over.player_number(ana.pk)), [])
    assert met[-1] == "end"
    assert 0 < len(closing) <= guide.closing
    assert over.status == Match.Status.CLOSED


@pytest.mark.parametrize("game", GAMES)
def test_notes_have_names_of_their_own_and_fit_a_phone(game):
    notes = get_game(game).guide.notes

    assert len({note.name for note in notes}) == len(notes)
    assert all(len(note.words) <= 160 for note in notes)


def test_everybody_is_dealt_the_same_cards(ana, boris):
    hands = [
        [seat.rules.view(seat.state, seat.player_number(user.pk))["hand"]]
        for user in (ana, boris)
        for seat in [opening.open_guide(user, "oh-hell")]
    ]

    assert hands[0] == hands[1]


def test_guide_ends_with_its_deal(ana):
    _, over = notes_met(ana, "oh-hell", sensible)

    match = Match.objects.get(code=over.code)
    assert (match.status, match.deal_count, match.wake_at) == (Match.Status.CLOSED, 1, None)
    assert match.ended_at is not None
    assert differences(match) == []
    with pytest.raises(Refused, match="This table is closed"):
        moves.set_ready(ana.pk, over.code)


@pytest.mark.parametrize("game", GAMES)
def test_guide_shows_no_option_that_is_unusual(ana, game):
    guided = opening.open_guide(ana, game)

    rules = guided.rules
    assert guided.options == rules.usual_options(guided.seat_count, rules.formats[0])


def test_guide_whose_deal_ends_the_match_is_closed_all_the_same(ana):
    bold = ({"type": "redouble"}, {"type": "double"}, {"type": "bid", "contract": "AT"})

    def boldest(snapshot):
        legal = snapshot.rules.legal_moves(snapshot.state)
        return next((move for move in bold if move in legal), legal[0])

    met, over = notes_met(ana, "belot", boldest)

    assert over.rules.to_act(over.state) is None
    assert over.status == Match.Status.CLOSED
    assert met[-1] == "end"


def test_guide_counts_for_nothing(ana):
    guided = opening.open_guide(ana, "oh-hell")

    assert lists.running_matches(ana) == []
    assert counts(ana)["matches"] == 0
    notes_met(ana, "oh-hell", sensible)
    assert results(ana) == {"played": 0, "won": 0}
    assert lists.last_finished() is None
    assert lists.differences_from_usual(ana, Match.objects.get(code=guided.code)) is None


def test_guide_whose_deal_ends_the_match_counts_for_nothing_either(ana, boris):
    table = {"options": {"target": 51}, "bots": 2, "teams": [0, 1, 1], "speed": "untimed"}
    for guide in (True, False):
        opened = opening.open_table(ana, "belot", seats=4, **table)
        Match.objects.filter(code=opened.code).update(guide=guide)
        play_on(seating.sit_down(boris, opened.code))
    making.store_missing()

    assert results(ana)["played"] == 1
    assert [(name, count) for name, count, _ in partners(ana)] == [("Boris", 1)]


def test_another_guide_closes_the_one_before(ana):
    first = opening.open_guide(ana, "oh-hell")

    opening.open_guide(ana, "bids")

    assert Match.objects.get(code=first.code).status == Match.Status.CLOSED


def test_guide_that_ends_as_the_next_one_is_asked_for_holds_nothing_up(ana, monkeypatch):
    first = opening.open_guide(ana, "oh-hell")
    leave = seating.leave_match

    def leave_too_late(user, code):
        due.close_table(code)
        return leave(user, code)

    monkeypatch.setattr(seating, "leave_match", leave_too_late)

    assert opening.open_guide(ana, "bids").code != first.code


def test_guide_asked_for_twice_by_one_form_is_one(ana):
    asked = [open_once(ana, open_guide, SeatRequest(form_key="k"), game="belot") for _ in range(2)]

    assert asked[0].code == asked[1].code


def test_who_leaves_a_guide_closes_it(ana):
    guided = opening.open_guide(ana, "bleven")

    left = seating.leave_match(ana, guided.code)

    assert left.status == Match.Status.CLOSED
    assert not left.is_guided_to_end


def test_nobody_else_can_close_a_guide(ana, boris):
    guided = opening.open_guide(ana, "bleven")

    with pytest.raises(Refused, match="You have no seat"):
        seating.leave_match(boris, guided.code)


def test_bots_of_a_guide_take_their_time(ana):
    usual = opening.open_table(ana, "bids", bots=3, speed="untimed")
    guided = opening.open_guide(ana, "bids")

    waits = []
    for snapshot in (usual, guided):
        while snapshot.waits_for_person():
            snapshot = play_first(snapshot)
        waits.append(snapshot.wake_at - snapshot.turn_started_at)

    assert waits[1] == 2 * waits[0]


def test_prepared_deal_is_not_said_to_be_a_shuffle(ana):
    _, over = notes_met(ana, "oh-hell", sensible)

    with pytest.raises(Refused, match="The deal of a guide is prepared"):
        verification.verify(Match.objects.get(code=over.code))


def test_guides_are_tidied_away(ana):
    notes_met(ana, "oh-hell", sensible)
    Match.objects.update(ended_at=timezone.now() - timedelta(days=31))

    call_command("tidy", verbosity=0)

    assert not Match.objects.exists()
    assert not Seat.objects.exists()

"""Who is there and doesn't move, where no clock runs: all others together may ask, and a bot plays for no answer."""

import pytest

from games.fragments import Fragments
from games.models import Move
from games.play import seating, waiting
from games.play.errors import AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.pace import ANSWER_LIMIT, ASKED_AGAIN_AFTER, IDLE_ASK_AFTER, IDLE_LIMIT
from tests import opening
from tests.kit.cast import in_letters
from tests.play.acting import act, all_there, arrive, late, match_of, pass_time, play_first, stored, think, user_at
from tests.play.test_waiting import go, waits_for

pytestmark = pytest.mark.django_db

TOO_SOON = "may think for a while"
ONLY = "at a table without a clock"


@pytest.fixture
def untimed(users):
    return all_there(match_of(users[:3], speed="untimed"))


def others_of(snapshot):
    return [user_at(snapshot, seat.number) for seat in snapshot.seats if seat.number != snapshot.to_act]


def ask(snapshot, *users):
    for user in users:
        snapshot = waiting.ask_if_present(user.pk, snapshot.code, snapshot.move_count)
    return snapshot


def refusal(snapshot, user, kind=Refused, seen=None):
    """Why somebody can't ask; nothing is stored then."""
    before = stored(snapshot.code)
    with pytest.raises(kind) as refused:
        waiting.ask_if_present(user.pk, snapshot.code, snapshot.move_count if seen is None else seen)
    assert stored(snapshot.code) == before
    return str(refused.value)


def test_all_others_ask_and_a_bot_plays_for_no_answer(untimed):
    number, others = untimed.to_act, others_of(untimed)
    idle = pass_time(untimed.code, IDLE_ASK_AFTER)

    one = ask(idle, others[0])
    assert one.asked_until() is None
    assert not waits_for(one, ANSWER_LIMIT)
    asked = ask(one, others[1])
    assert waits_for(asked, ANSWER_LIMIT)
    assert "I am here" in Fragments(asked).for_user(asked.seats[number].user_id)
    assert "has been asked whether they are there" in Fragments(asked).for_user(others[0].pk)
    assert think(asked.code) is None

    late(asked.code)
    after = act(asked.code)

    assert Move.objects.get(match=after.pk, seat=number).actor == "stand-in"
    assert after.bot_plays(after.seats[number])
    assert after.seats[number].user_id == asked.seats[number].user_id  # they may take over again


def test_one_of_two_cannot_do_it_however_often_they_ask(untimed):
    others = others_of(untimed)
    idle = ask(pass_time(untimed.code, IDLE_ASK_AFTER), others[0])

    assert refusal(idle, others[0], AlreadyPlayed) == "You have asked already. Wait until the others ask, too."

    assert not pass_time(untimed.code, 3600).asked_until()
    assert waits_for(idle, IDLE_LIMIT - IDLE_ASK_AFTER)


@pytest.mark.parametrize("game, seats, bots", [("belot", 2, 0), ("oh-hell", 3, 1)])
def test_a_single_opponent_is_no_judge(users, game, seats, bots):
    code = opening.open_table(users[0], game, seats=seats, bots=bots, speed="untimed").code
    seating.sit_down(users[1], code)
    table = arrive(code, *users[:2])
    while not table.waits_for_person():
        late(code)
        table = act(code)
    other = next(user for user in users[:2] if user != user_at(table, table.to_act))

    assert ONLY in refusal(pass_time(code, 3600), other)


def test_nobody_is_asked_before_they_could_think(untimed):
    waiter = others_of(untimed)[0]
    assert TOO_SOON in refusal(untimed, waiter)
    assert 'data-appears="' in Fragments(untimed).for_user(waiter.pk)

    almost = pass_time(untimed.code, IDLE_ASK_AFTER - 5)

    assert TOO_SOON in refusal(almost, waiter)
    page = in_letters(Fragments(pass_time(untimed.code, 5)).for_user(waiter.pk))
    assert "hasn’t moved for minutes" in page
    assert "data-appears" not in page


def test_who_answers_is_left_alone_and_all_must_ask_again(untimed):
    player, others = user_at(untimed, untimed.to_act), others_of(untimed)
    asked = ask(pass_time(untimed.code, IDLE_ASK_AFTER), *others)
    late(asked.code)
    request = think(asked.code)
    with pytest.raises(AlreadyPlayed):
        waiting.confirm_presence(others[0].pk, asked.code)

    here = waiting.confirm_presence(player.pk, asked.code)

    assert request.wake_at != here.wake_at  # so the bot that was about to move doesn't
    assert here.away_since is None
    assert TOO_SOON in refusal(here, others[0])
    assert TOO_SOON in refusal(pass_time(here.code, ASKED_AGAIN_AFTER - 5, "here_at"), others[0])
    again = ask(pass_time(here.code, 5, "here_at"), others[0])
    assert again.asked_until() is None
    assert ask(again, others[1]).asked_until()


def test_a_move_is_an_answer(untimed):
    asked = ask(pass_time(untimed.code, IDLE_ASK_AFTER), *others_of(untimed))

    after = play_first(asked)

    assert after.asked_until() is None
    assert after.away_since is None
    assert refusal(after, user_at(after, asked.to_act), seen=asked.move_count, kind=StaleMove)


def test_to_close_the_page_gains_and_loses_nothing(untimed):
    asked = ask(pass_time(untimed.code, IDLE_ASK_AFTER), *others_of(untimed))

    away = go(asked, asked.to_act)
    assert away.stand_in_at() >= asked.stand_in_at()
    back = arrive(away.code, user_at(away, away.to_act))

    assert back.stand_in_at() == asked.stand_in_at()


def test_only_those_who_wait_ask_and_only_where_no_clock_runs(untimed, users):
    idle = pass_time(untimed.code, 3600)
    assert "no seat" in refusal(idle, users[3], NotAllowed)
    assert "Only players who wait" in refusal(idle, user_at(idle, idle.to_act), NotAllowed)
    assert ONLY in refusal(go(idle, (idle.to_act + 1) % 3), user_at(idle, (idle.to_act + 2) % 3))

    timed = pass_time(all_there(match_of(users[:3])).code, 15)
    assert ONLY in refusal(timed, others_of(timed)[0])


def test_it_is_asked_and_answered_without_scripts(client, untimed):
    idle = pass_time(untimed.code, IDLE_ASK_AFTER)
    for user in others_of(idle):
        client.force_login(user)
        assert "Ask if they are there" in client.get(f"/matches/{idle.code}/").text
        client.post(f"/matches/{idle.code}/ask/", {"seen": idle.move_count})
    client.force_login(user_at(idle, idle.to_act))
    assert "here-button" in client.get(f"/matches/{idle.code}/").text

    assert client.post(f"/matches/{idle.code}/here/").status_code == 302
    assert "here-button" not in client.get(f"/matches/{idle.code}/").text

"""Whoever is suspended or banned leaves every table and comes to none; lifted, they may come again."""

import pytest

from accounts import sanctions
from accounts.models import User
from accounts.people import ties
from accounts.programs import make_program
from games.chat import posting
from games.models import Match, Move, Seat
from games.play import hosting, moves, presence, seating, store
from games.play.errors import NotAllowed, Refused
from tests import opening
from tests.matches import play_on
from tests.play.acting import play_first

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

WAYS_IN = {
    "sit": ("/matches/{code}/sit/", {}),
    "open": ("/tables/new/", {"seats": "3", "speed": "normal", "listed": "on"}),
    "play now": ("/play/oh-hell/", {}),
    "play with friends": ("/play/oh-hell/friends/", {}),
    "learn": ("/learn/oh-hell/", {}),
    "talk": ("/matches/{code}/talk/", {"phrase": "hello"}),
    "message": ("/messages/Boris/", {"text": "Hi"}),
    "friend": ("/accounts/people/Vera/ask/", {}),
    "name": ("/accounts/name/", {"name": "Spam"}),
    "bot": ("/accounts/bots/", {"name": "Spam"}),
    "rematch": ("/matches/{finished}/rematch/", {}),
}


def rows():
    """How many matches, seats, lines, messages and users there are, and whether one goes by a name that others see."""
    models = (Match, Seat, posting.ChatMessage, posting.DirectMessage, User)
    return [User.objects.filter(username="Spam").exists(), *(model.objects.count() for model in models)]


@pytest.fixture
def places(users):
    """{"code"} of a table that waits, {"finished"} of a match that Ana has played; Ana and Boris are friends."""
    ana, boris = users[:2]
    ties.ask(ana, boris)
    ties.accept(boris, ana)
    opened = opening.open_table(ana, "oh-hell", seats=3, bots=2, options={"game_style": "short-up"}, speed="untimed")
    finished = play_on(opened)
    return {"code": opening.open_table(boris, "oh-hell", seats=3).code, "finished": finished.code}


@pytest.mark.parametrize("way", WAYS_IN)
def test_no_way_in_is_open_to_who_is_suspended(client, ana, places, way):
    path, fields = WAYS_IN[way]
    made = sanctions.impose(ana, "suspension", "Cheated.", days=1)
    client.force_login(ana)
    before = rows()

    answer = client.post(path.format(**places), fields)

    assert 400 <= answer.status_code < 500
    assert sanctions.sentence(made) in answer.text
    assert rows() == before


def test_what_is_over_can_still_be_replayed(client, ana, places):
    sanctions.impose(ana, "suspension", "Cheated.")
    client.force_login(ana)

    for page in ("/", "/matches/", f"/matches/{places['finished']}/", f"/matches/{places['finished']}/replay/"):
        assert client.get(page).status_code == 200


@pytest.mark.parametrize("kind", ["suspension", "ban"])
def test_a_bot_plays_on_at_once_and_nobody_comes_back(users, started, kind):
    ana = users[0]
    number = started.player_number(ana.pk)

    made = sanctions.impose(ana, kind, "Cheated.")

    after = store.read(started.code)
    assert after.bot_plays(after.seats[number])
    assert presence.set_connected(ana.pk, started.code, True) is None
    assert presence.resume(ana.pk, started.code) is None
    with pytest.raises(NotAllowed):
        moves.set_ready(ana.pk, started.code)
    while after.to_act != number:
        after = play_first(after)
    with pytest.raises(NotAllowed, match="You have left this match"):
        play_first(after)
    assert not Move.objects.filter(match__code=started.code, seat=number).exists()

    sanctions.lift(made)
    ana.refresh_from_db()
    assert opening.open_table(ana, "oh-hell", seats=3).host_id == ana.pk
    assert store.read(started.code).player_number(ana.pk) is None


def test_their_tables_invitations_and_programs_go(users):
    ana, boris, vera, _ = users
    alone = opening.open_table(ana, "oh-hell", seats=3).code
    program = make_program(ana, "Clockwork")[0].program
    shared = opening.open_table(ana, "oh-hell", seats=4, listed=False).code
    seating.seat_program(program, shared)
    seating.sit_down(boris, shared)
    asked = opening.open_table(vera, "oh-hell", seats=3).code
    hosting.invite(vera, asked, ana)

    sanctions.impose(ana, "suspension", "Cheated.", days=1)

    assert Match.objects.get(code=alone).status == Match.Status.CLOSED
    assert [seat.user_id for seat in store.read(shared).seats] == [boris.pk]
    assert store.read(shared).host_id == boris.pk
    assert store.read(asked).reservations == ()
    with pytest.raises(Refused):
        seating.seat_program(program, asked)


def test_a_program_itself_is_suspended_without_its_owner(users):
    ana = users[0]
    user, _ = make_program(ana, "Clockwork")
    opened = opening.open_table(ana, "oh-hell", seats=4, listed=False).code
    seating.seat_program(user.program, opened)

    sanctions.impose(user, "suspension", "Too slow.")

    assert [seat.user_id for seat in store.read(opened).seats] == [ana.pk]
    with pytest.raises(NotAllowed, match="can’t play any more"):
        seating.seat_program(user.program, opened)

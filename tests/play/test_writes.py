"""What moves have made of a match is told in full: whoever follows it has exactly what the database gives."""

from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import msgpack
import pytest

from games.catalog import CHANCE, IllegalMove, all_games
from games.kit.proofs import ALL, NONE
from games.live import others
from games.models import Match
from games.play import claims, memory, moves, presence, seating, store, waiting
from games.play.changes import match_changed
from games.play.errors import Refused
from games.play.writes import MOVES_TOLD, Made, followed, write_of
from tests import opening
from tests.matches import sensible
from tests.play.acting import play_first

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]

ACTS = 250
SEATS = {"bids": 3, "oh-hell": 4}


class Listener:
    """Another process: the messages that it gets, by the revisions that they are of, and what is read at each.

    Each is read with the one before it known, as a process has it that has been there all the time.
    """

    def __init__(self, snapshot):
        self.messages = {}
        self.read = {snapshot.revision: snapshot}

    @property
    def newest(self):
        return self.read[max(self.read)]

    def hear(self, snapshot, made, **_):
        (_, message), *_ = others.changed(snapshot, made)
        self.messages[snapshot.revision] = msgpack.unpackb(msgpack.packb(message))  # as Redis carries it
        memory.forget()
        self.read[snapshot.revision] = store.read(snapshot.code, known=self.newest)
        memory.forget()
        memory.remember(snapshot)


@pytest.fixture
def listening():
    """A function: who listens to a match from now on."""
    listeners = []

    def listen(snapshot):
        listener = Listener(snapshot)
        listeners.append(listener)
        match_changed.connect(listener.hear)
        return listener

    yield listen
    for listener in listeners:
        match_changed.disconnect(listener.hear)


@pytest.fixture
def table(users):
    """A function: a match of people at a game, by its slug, that has started."""

    def start(slug, speed="fast", **settings):
        seats = SEATS.get(slug, 4)
        opened = opening.open_table(users[0], slug, seats=seats, speed=speed, **settings)
        for user in users[1:seats]:
            opened = seating.sit_down(user, opened.code)
        return store.read(opened.code)

    return start


def act_at_random(snapshot, rng):
    """Move, or do what else people do at a table."""
    code = snapshot.code
    user_id = rng.choice(snapshot.seats).user_id
    doings = [
        lambda: presence.set_connected(user_id, code, rng.random() < 0.7),
        lambda: waiting.ask_for_pause(user_id, code),
        lambda: waiting.go_on(user_id, code),
        lambda: claims.claim(user_id, code, rng.choice([ALL, NONE]), seen=snapshot.move_count),
        lambda: presence.resume(user_id, code),
    ]
    if snapshot.to_act == CHANCE:
        doings += [lambda: moves.set_ready(user_id, code)] * 10
    else:
        choose = rng.choice([sensible, lambda snapshot: rng.choice(snapshot.rules.legal_moves(snapshot.state))])
        actor = rng.choice(["player"] * 5 + ["stand-in"])
        move = choose(snapshot)
        doings += [lambda: moves.play_move(code, snapshot.to_act, move, seen=snapshot.move_count, actor=actor)] * 40
    with suppress(Refused, IllegalMove):
        rng.choice(doings)()


@pytest.mark.parametrize("slug", [game.slug for game in all_games()])
def test_who_follows_what_is_written_has_what_the_database_gives(slug, table, listening, rng):
    snapshot = table(slug)
    listener = listening(snapshot)

    for _ in range(ACTS):
        if listener.newest.status == Match.Status.PLAYING:
            act_at_random(listener.newest, rng)

    revisions = sorted(listener.read)
    told = [revision for revision in revisions[1:] if "writes" in listener.messages[revision]]
    for before, after in pairwise(revisions):
        if after in told:
            assert followed(listener.read[before], listener.messages[after]["writes"]) == listener.read[after]
    assert len(told) > len(revisions) / 2
    assert "deck" not in str(listener.messages)


def test_lost_doubled_and_disordered_writes_never_lead_astray(table, listening, rng):
    snapshot = table("oh-hell", speed="untimed")
    listener = listening(snapshot)
    for _ in range(60):
        snapshot = play_first(snapshot)
    last = snapshot.revision

    for _ in range(50):
        messages = [message for message in listener.messages.values() for _ in range(rng.choice([0, 1, 1, 1, 2]))]
        messages.sort(key=lambda message: message["revision"] + rng.choice([0, 0, 0, rng.uniform(-4, 4)]))
        known = listener.read[min(listener.read)]
        for message in messages:
            before, known = known, followed(known, message["writes"])
            if known.revision < message["revision"]:
                known = listener.read[message["revision"]]  # as a read would give it
            assert known == listener.read[known.revision]
            assert known.revision >= before.revision
    assert followed(listener.read[1 + min(listener.read)], _all(listener)) == listener.read[last]


def _all(listener):
    """All writes in one message, in an order of their own."""
    return [write for message in reversed(listener.messages.values()) for write in message["writes"]]


def test_a_joined_message_holds_the_writes_of_both(table, listening):
    snapshot = table("oh-hell", speed="untimed")
    listener = listening(snapshot)
    for _ in range(3):
        snapshot = play_first(snapshot)
    first, second, third = listener.messages.values()

    joined = others.joined(others.joined(first, second), third)

    assert followed(listener.read[min(listener.read)], joined["writes"]) == listener.newest
    assert "writes" not in others.joined(first, {"type": "match.changed", "code": "", "revision": 9})
    assert len(others.joined(first | {"writes": first["writes"] * 50}, second)["writes"]) == others.WRITES_TOLD


def test_what_the_moves_do_not_cover_is_not_told(table):
    before = table("oh-hell", speed="untimed")
    after = play_first(before)
    made = Made(before, ())
    changed = replace(after.seats[0], connected=True)

    assert write_of(made, after)
    assert write_of(made, replace(after, host_id=None)) is None
    assert write_of(made, replace(after, status=str(Match.Status.OVER))) is None
    assert write_of(made, replace(after, seats=(changed, *after.seats[1:]))) is None
    assert write_of(Made(before, (None,) * (MOVES_TOLD + 1)), after) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda write: write | {"something new": 1},
        lambda write: {key: value for key, value in write.items() if key != "times"},
        lambda write: write | {"from": write["from"] - 1},
        lambda write: write | {"since": "2026-01-01T00:00:00+00:00"},
        lambda write: write | {"moves": [[0, {"type": "unheard of"}]]},
        lambda write: write | {"seats": [[0, [1.0]]]},
        lambda write: write | {"times": ["soon", None, None]},
        lambda write: "a write",
    ],
)
def test_a_write_that_is_not_understood_is_not_followed(table, listening, spoil):
    before = table("oh-hell", speed="untimed")
    listener = listening(before)
    play_first(before)
    ((message),) = listener.messages.values()

    assert followed(before, message["writes"]) != before
    assert followed(before, [spoil(message["writes"][0])]) is before


def test_a_match_that_cannot_be_played_here_is_not_followed(table, listening):
    before = table("oh-hell", speed="untimed")
    listener = listening(before)
    play_first(before)
    ((message),) = listener.messages.values()
    foreign = replace(before, rules=None, state=None, obstacle="Its rules are not here.")

    assert followed(foreign, message["writes"]) is foreign

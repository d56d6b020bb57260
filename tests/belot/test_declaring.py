"""Declarations go with the first card of a seat, in one request: all that is asked for is done, or nothing."""

import json
import re

import pytest
from asgiref.sync import sync_to_async

from games.catalog import IllegalMove
from games.models import Move
from games.play import memory, moves, seating, store
from games.play.errors import AlreadyPlayed, NotAllowed, StaleMove
from games.play.requests import MoveRequest
from tests import opening
from tests.live.pages import Page
from tests.matches import play_on
from tests.play.acting import stored, user_at

pytestmark = pytest.mark.whole


def legal(snapshot, kind):
    return [move for move in snapshot.rules.legal_moves(snapshot.state) if move["type"] == kind]


def choose(snapshot):
    """All trumps by the first who may bid, then cards without declarations."""
    bids = [move for move in legal(snapshot, "bid") if move["contract"] == "AT"]
    return (bids or legal(snapshot, "pass") or legal(snapshot, "play"))[0]


def at_a_declaration(users):
    """A match of four people, waiting for one who holds something to declare."""
    opened = opening.open_table(users[0], "belot", seats=4, seed="ab" * 32)
    for user in users[1:]:
        opened = seating.sit_down(user, opened.code)
    return play_on(opened, choose, until=lambda snapshot: bool(legal(snapshot, "declare")))


@pytest.fixture
def table(users):
    return at_a_declaration(users)


@pytest.fixture
def asked(table):
    """What the page of the seat to act asks for: its declaration and its first card."""
    return legal(table, "declare")[0], legal(table, "play")[0]


def ask(table, asked, **changes):
    declaration, card = asked
    click = MoveRequest(table.code, table.to_act, card, table.move_count, first=(declaration,))
    return moves.play(click._replace(**changes))


def test_declaration_and_card_are_moves_of_their_own(table, asked):
    after = ask(table, asked)

    made = Move.objects.filter(match_id=table.pk, index__gte=table.move_count).order_by("index")
    assert [(move.index, move.seat, move.move) for move in made] == [
        (table.move_count, table.to_act, asked[0]),
        (table.move_count + 1, table.to_act, asked[1]),
    ]
    assert (after.move_count, after.revision) == (table.move_count + 2, table.revision + 1)
    told = [event["type"] for each in after.moves_since(table.move_count) for event in each.events]
    assert told[0] == "declared"
    assert "card_played" in told


def test_a_double_click_declares_once(table, asked):
    declaration, card = asked
    click = MoveRequest(table.code, table.to_act, card, table.move_count, first=(declaration,))

    after, refusal = moves.play_moves([click, click])
    assert isinstance(refusal, AlreadyPlayed)
    assert after.move_count == table.move_count + 2
    before = stored(table.code)
    with pytest.raises(AlreadyPlayed):
        ask(table, asked)
    with pytest.raises(StaleMove):
        ask(table, asked, first=())

    assert stored(table.code) == before


@pytest.mark.parametrize(
    ("declared", "refusal"),
    [
        ({"type": "declare", "kind": "square", "cards": ["8C", "8D", "8H", "8S"]}, IllegalMove),
        ({"type": "declare"}, IllegalMove),
        ({"type": "pass"}, IllegalMove),
        (None, NotAllowed),  # the card itself, and then another
    ],
)
def test_where_one_of_them_is_refused_nothing_is_done(table, asked, declared, refusal):
    before = stored(table.code)
    other = legal(table, "play")[-1]

    with pytest.raises(refusal):
        ask(table, asked, first=(asked[0], declared or other))
    with pytest.raises(IllegalMove):
        ask(table, (asked[0], {"type": "play", "card": "7?"}))

    memory.forget(table.code)
    assert stored(table.code) == before
    assert ask(store.read(table.code), asked).move_count == table.move_count + 2


def test_the_form_declares_without_scripts(client, table):
    client.force_login(user_at(table, table.to_act))
    page = client.get(f"/matches/{table.code}/").content.decode()
    boxes = re.findall(r"name=\"first\" value='([^']+)' id=\"[^\"]+\" checked", page)
    card = json.dumps(legal(table, "play")[0])
    form = {"move": card, "seen": str(table.move_count)}

    lie = json.dumps({"type": "declare", "kind": "tierce", "cards": ["7C", "8C", "JC"]})
    refused = client.post(f"/matches/{table.code}/move/", form | {"first": [*boxes, lie]})
    nonsense = client.post(f"/matches/{table.code}/move/", form | {"first": "[1]"})
    done = client.post(f"/matches/{table.code}/move/", form | {"first": boxes})
    again = client.post(f"/matches/{table.code}/move/", form | {"first": boxes})

    assert boxes
    assert [answer.status_code for answer in (refused, nonsense, done, again)] == [400, 400, 302, 409]
    told = [move.move for move in Move.objects.filter(match_id=table.pk, index__gte=table.move_count).order_by("index")]
    assert told == [json.loads(move) for move in [*boxes, card]]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("several", [False, True])
async def test_the_socket_declares_too(users, several):
    table = await sync_to_async(at_a_declaration)(users)
    declaration, card = legal(table, "declare")[0], legal(table, "play")[0]
    first = [json.dumps(declaration)] if several else json.dumps(declaration)

    async with Page(table.code, await sync_to_async(user_at)(table, table.to_act)) as page:
        await page.table(table.move_count)
        await page.send({"move": json.dumps(card), "seen": str(table.move_count), "first": first})
        shown = await page.table(table.move_count + 2)

    assert "You declare a" in shown

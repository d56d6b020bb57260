"""Claims at a table: proven, played out at once as ordinary moves, told to all, and no way to look at cards."""

import json
import random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from jsonschema import Draft202012Validator

from accounts.models import User
from games.catalog import CHANCE, get_game
from games.history.marks import marks_of
from games.history.records import BadRecord, export_match, import_match
from games.history.replay import Replay
from games.kit.proofs import ALL, NONE
from games.models import Claim, Match, Move
from games.play import claims, due, memory, moves, seating, store
from games.play.errors import AlreadyPlayed, Refused
from tests import opening
from tests.history.test_formats import SCHEMA
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def hands_of(snapshot):
    return [snapshot.rules.view(snapshot.state, seat)["hand"] for seat in range(snapshot.seat_count)]


def verdict(snapshot, seat, kind):
    """ "proven", "true" or "" of a claim."""
    known, table = get_game(snapshot.game).claims, snapshot.rules.view(snapshot.state, seat)
    if not known.can_claim(table):
        return None
    if known.is_proven(table, kind):
        return "proven"
    tables = [snapshot.rules.view(snapshot.state, each) for each in range(snapshot.seat_count)]
    return "true" if known.is_true(table, kind, tables) else ""


def where(snapshot, wanted, kind=ALL, own_turn=None):
    """The first position from here on, and the seat of a person, at which a claim has this verdict; bots play."""
    found = []

    def is_there(snapshot):
        for seat in range(snapshot.seat_count):
            if snapshot.seats[seat].bot or (own_turn is not None and (snapshot.to_act == seat) != own_turn):
                continue
            if verdict(snapshot, seat, kind) == wanted:
                found.append(seat)
                return True
        return False

    snapshot = play_on(snapshot, until=is_there)
    return (snapshot, found[0]) if found else (None, None)


@pytest.fixture
def table(users):
    """A function: a match of people that has started, at a game, by its slug."""

    def start(game, seats=3, seed="ab", **terms):
        opened = opening.open_table(users[0], game, seats=seats, seed=seed * 32, speed="untimed", **terms)
        for user in users[1:seats]:
            opened = seating.sit_down(user, opened.code)
        return opened

    return start


def user_at(snapshot, seat):
    return snapshot.seats[seat].user_id


@pytest.mark.parametrize(("game", "seats"), [("oh-hell", 3), ("belot", 4), ("belot", 3)])
def test_a_claim_plays_the_deal_out_in_one_write(table, game, seats, monkeypatch):
    snapshot, seat = where(table(game, seats), "true", own_turn=True)
    held = [len(hand) for hand in hands_of(snapshot)]

    after = claims.claim(user_at(snapshot, seat), snapshot.code, ALL, seen_count=snapshot.move_count)

    played = list(Move.objects.filter(match=snapshot.pk, index__gte=snapshot.move_count).order_by("index"))
    assert (after.revision, after.move_count) == (snapshot.revision + 1, snapshot.move_count + sum(held))
    assert {move.actor for move in played} == {"claimed"}
    claim = Claim.objects.get()
    assert (claim.seat, claim.kind, claim.index, claim.moves) == (seat, ALL, snapshot.move_count, sum(held))
    assert after.to_act in (CHANCE, None)
    winners = [
        e["seat"] % (2 if seats == 4 else 9) for m in after.latest_moves for e in m.events if e["type"] == "trick_won"
    ]
    assert set(winners[-claim.tricks :]) == {seat % (2 if seats == 4 else 9)}
    memory.forget(snapshot.code)
    assert store.read(snapshot.code).accepted_claim == after.accepted_claim == (seat, ALL, claim.tricks)
    with pytest.raises(AlreadyPlayed):
        claims.claim(user_at(snapshot, seat), snapshot.code, ALL, seen_count=snapshot.move_count)
    assert Match.objects.get().move_count == after.move_count


def test_the_next_deal_knows_of_no_claim(table):
    snapshot, seat = where(table("oh-hell"), "true")
    after = claims.claim(user_at(snapshot, seat), snapshot.code, ALL, seen_count=snapshot.move_count)
    assert claims.claim_sentence(after, seat).startswith("You claim the rest, and take the last ")
    assert claims.claim_sentence(after, None).startswith(
        f"{after.seats[seat].name} claims the rest, and takes the last "
    )

    following = moves.play_move(after.code, CHANCE, None, seen_count=after.move_count, actor="chance")

    assert (following.accepted_claim, store.read(after.code).accepted_claim) == (None, None)


def test_a_refused_claim_says_one_sentence_and_plays_nothing(table):
    snapshot, seat = where(table("oh-hell"), "", own_turn=True)
    user = user_at(snapshot, seat)
    with pytest.raises(Refused) as first:
        claims.claim(user, snapshot.code, ALL, seen_count=snapshot.move_count)
    refused = Claim.objects.get()
    assert (refused.moves, Match.objects.get().move_count) == (0, snapshot.move_count)

    assert str(first.value) == claims.UNPROVEN


def test_after_a_refused_claim_only_what_the_seat_knows_counts(table, monkeypatch):
    snapshot, seat = where(table("oh-hell"), "true", own_turn=True)
    Claim.objects.create(match_id=snapshot.pk, deal=snapshot.deal_count, seat=seat, kind=NONE, index=0)

    with pytest.raises(Refused, match=claims.UNPROVEN):
        claims.claim(user_at(snapshot, seat), snapshot.code, ALL, seen_count=snapshot.move_count)

    assert Match.objects.get().move_count == snapshot.move_count


def test_a_claim_that_its_player_can_prove_is_accepted_after_a_refused_one(table):
    snapshot, seat = where(table("belot", 4), "proven")
    Claim.objects.create(match_id=snapshot.pk, deal=snapshot.deal_count, seat=seat, kind=NONE, index=0)

    claims.claim(user_at(snapshot, seat), snapshot.code, ALL, seen_count=snapshot.move_count)

    claim = Claim.objects.get()
    assert (claim.kind, claim.moves > 0, claim.index) == (ALL, True, snapshot.move_count)


def test_who_may_not_claim_is_refused_and_nothing_is_written(table, users):
    snapshot = table("oh-hell")
    bidding = store.read(snapshot.code)
    for user, kind, seen in [
        (users[3].pk, ALL, bidding.move_count),
        (None, ALL, bidding.move_count),
        (users[0].pk, "some", bidding.move_count),
        (users[0].pk, ["all"], bidding.move_count),
        (users[0].pk, ALL, bidding.move_count),  # nobody has bid yet
        (users[0].pk, ALL, None),
        (users[0].pk, ALL, 0),
    ]:
        with pytest.raises(Refused):
            claims.claim(user, snapshot.code, kind, seen_count=seen)
    with pytest.raises(Refused):
        claims.claim(users[0].pk, "nowhere", ALL, seen_count=0)
    assert not Claim.objects.exists()
    assert store.read(snapshot.code).revision == bidding.revision


def test_a_host_may_allow_no_claims(table, client):
    snapshot, seat = where(table("oh-hell", claims=False), "true")

    with pytest.raises(Refused, match="nothing to claim"):
        claims.claim(user_at(snapshot, seat), snapshot.code, ALL, seen_count=snapshot.move_count)
    client.force_login(User.objects.get(pk=user_at(snapshot, seat)))
    assert 'id="claim-button"' not in client.get(f"/matches/{snapshot.code}/").text
    assert not Claim.objects.exists()


def test_games_without_tricks_to_claim_have_none(table, client):
    snapshot = table("bids")

    assert claims.claims_at(snapshot) is None
    assert get_game("bleven").claims is None


def test_bots_claim_what_they_are_sure_of_without_a_look(table):
    def is_sure(snapshot):
        return snapshot.to_act != CHANCE and claims.sure_claim(snapshot, due.question_of(snapshot).table) is not None

    found = play_on(table("belot", 4), until=is_sure)
    seat = found.to_act
    request = claims.sure_claim(found, due.question_of(found).table)
    known, view = get_game("belot").claims, found.rules.view(found.state, seat)

    for seed in range(20):  # however the others' cards lie
        state = found.rules.sample(view, random.Random(seed))
        assert known.is_sure(found.rules.view(state, seat))
    assert {number for number, _ in request.moves} == {0, 1, 2, 3}
    assert (request.actor, request.kind) == ("bot", ALL)


def test_the_page_offers_claims_and_takes_them(table, users):
    snapshot, seat = where(table("oh-hell"), "true", own_turn=False)
    client = Client()
    client.force_login(next(user for user in users if user.pk == user_at(snapshot, seat)))
    address = f"/matches/{snapshot.code}/"
    assert 'id="claim-button"' in client.get(address).text

    refused = client.post(f"{address}claim/", {"claim": "all", "seen": snapshot.move_count - 1})
    accepted = client.post(f"{address}claim/", {"claim": "all", "seen": snapshot.move_count})
    again = client.post(f"{address}claim/", {"claim": "all", "seen": snapshot.move_count})

    assert (refused.status_code, accepted.status_code, again.status_code) == (409, 302, 302)
    page = client.get(address).text
    assert "You claim the rest, and take the last" in page
    assert 'id="claim-button"' not in page


def test_watchers_are_offered_nothing(table, client):
    snapshot, _ = where(table("oh-hell"), "true")

    assert 'id="claim"' not in client.get(f"/matches/{snapshot.code}/").text


@pytest.fixture
def claimed(table):
    """A match that is over, and its last claim."""
    snapshot, seat = where(table("belot", 3), "true")
    play_on(claims.claim(user_at(snapshot, seat), snapshot.code, ALL, seen_count=snapshot.move_count))
    return Match.objects.get(), Claim.objects.get()


def test_replays_and_records_tell_of_a_claim(claimed, client):
    match, claim = claimed
    address = f"/matches/{match.code}/replay/"
    first, before = (
        client.get(f"{address}?move={claim.index}").text,
        client.get(f"{address}?move={claim.index - 1}").text,
    )

    assert ['<p class="claimed">' in page for page in (first, before)] == [True, False]
    assert "claims the rest" in first
    assert first.count("(claimed)") == claim.moves
    assert [mark.move for mark in marks_of(Replay(match), AnonymousUser()) if mark.kind == "claim"] == [claim.index]
    record = json.loads(json.dumps(export_match(match)))
    Draft202012Validator(SCHEMA).validate(record)
    assert record["claims"] == [{key: getattr(claim, key) for key in ("index", "moves", "seat", "kind", "tricks")}]
    copy = import_match(record)
    assert export_match(copy)["claims"] == record["claims"]
    assert copy.claims.get().deal == claim.deal


@pytest.mark.parametrize(
    "change",
    [
        *({"seat": 9}, {"moves": 1}, {"index": 3}, {"kind": "some"}, {"tricks": 0}, {"seat": True}, {"moves": None}),
        {"moves": 19_999},
        {"kind": []},
    ],
)
def test_a_record_with_another_claim_than_its_moves_is_refused(claimed, change):
    record = export_match(claimed[0])
    record["claims"] = [record["claims"][0] | change]

    with pytest.raises(BadRecord, match="claims"):
        import_match(record)


def test_a_record_without_its_claims_is_refused(claimed):
    record = export_match(claimed[0])
    del record["claims"]

    with pytest.raises(BadRecord, match="claims"):
        import_match(record)

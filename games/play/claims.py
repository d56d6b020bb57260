"""Claims at the table: who may make one, how it is proven, and the moves by which the deal is then played out."""

from typing import Any

from accounts.limits import allow_user
from accounts.models import User
from games.catalog import CHANCE, get_game
from games.kit.claims import KINDS, Claims, told
from games.kit.language import lazy
from games.kit.proofs import ALL
from games.kit.words import Names
from games.models import Claim, Match, Move
from games.play import moves, store
from games.play.errors import NO_SUCH_MATCH, AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.requests import ClaimRequest
from games.play.snapshot import Snapshot

TOO_OFTEN = lazy("You claim too often. Wait a moment.")
UNPROVEN = lazy("That can’t be proven yet, so play on.")  # whatever the reason is: it tells nothing of any card


class TooOften(Refused):
    """Somebody claims and claims."""

    status = 429


def claims_at(snapshot: Snapshot) -> Claims | None:
    """The Claims of a match that is played; None where nobody can claim: in a guide, where the host
    has not allowed it, and in other games."""
    if snapshot.status != Match.Status.PLAYING or snapshot.obstacle or snapshot.guide or snapshot.rules is None:
        return None
    if not snapshot.terms.claims:
        return None
    return get_game(snapshot.game).claims


def may_claim(snapshot: Snapshot, number: int | None, table: dict[str, Any]) -> bool:
    """Whether a seat, whose view `table` is, has something to claim; nobody without a seat has."""
    known = claims_at(snapshot) if number is not None and not snapshot.paused_until else None
    return known is not None and known.can_claim(table)


def claim_told(snapshot: Snapshot, number: int | None) -> str:
    """The claim by which the deal just ended was played out, as a seat or a spectator reads it; "" where none was."""
    claimed = snapshot.claimed
    if claimed is None or snapshot.rules is None:
        return ""
    names = Names([seat.name for seat in snapshot.seats], number)
    partners = snapshot.seat_count in snapshot.rules.partners_at
    return told(claimed.seat, claimed.kind, claimed.tricks, names, partners=partners)


def claim(user_id: int | None, code: str, kind: object, *, seen: int | None) -> Snapshot:
    """Claim the rest of the deal's tricks for a player, or none of it. Returns the Snapshot. Raises Refused."""
    try:
        snapshot = store.read(code)
    except Match.DoesNotExist:
        raise Refused(NO_SUCH_MATCH) from None
    return claim_at(snapshot, user_id, kind, seen=seen)


def claim_at(snapshot: Snapshot, user_id: int | None, kind: object, *, seen: int | None) -> Snapshot:
    """As `claim`, of a match that has just been read."""
    number = snapshot.player_number(user_id)
    if number is None:
        raise NotAllowed(lazy("You have no seat at this table, so you can only watch."))
    if not allow_user(User.objects.get(pk=user_id), "claim"):
        raise TooOften(TOO_OFTEN)
    return moves.play(proven(snapshot, number, kind, seen=seen))


def proven(snapshot: Snapshot, number: int, kind: object, *, seen: int | None) -> ClaimRequest:
    """The request that plays the claim of a seat's player out. Takes up to some tenths of a second. Raises Refused.

    Once a deal a seat's claim is looked at with the cards as they lie: what it is told then, it could not know. After
    that, and whenever it is enough, only what the seat knows itself counts.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refused(lazy("Claim the rest, or none of it."))
    _demand_seen(snapshot, number, seen)
    known = claims_at(snapshot)
    table = _table(snapshot, number)
    if known is None or not known.can_claim(table) or snapshot.paused_until:
        raise Refused(lazy("There is nothing to claim now. Play on."))
    if known.is_proven(table, kind):
        return _request(snapshot, table, kind, in_order=False)
    tables = [table if seat == number else _table(snapshot, seat) for seat in range(snapshot.seat_count)]
    if _may_look(snapshot, number, kind) and known.is_true(table, kind, tables):
        return _request(snapshot, table, kind, in_order=True)
    raise Refused(UNPROVEN)


def sure_claim(snapshot: Snapshot, table: dict[str, Any]) -> ClaimRequest | None:
    """The request of a bot, which is to act and sees without looking for it that the rest is its own; else None.

    table: the view of its seat.
    """
    known = claims_at(snapshot)
    if known is None or not known.is_sure(table):
        return None
    request = _request(snapshot, table, ALL, in_order=True)
    return request._replace(actor=Move.Actor.BOT, wake_at=snapshot.wake_at)


def _table(snapshot: Snapshot, number: int) -> dict[str, Any]:
    assert snapshot.rules is not None
    return snapshot.rules.view(snapshot.state, number)


def _demand_seen(snapshot: Snapshot, number: int, seen: int | None) -> None:
    """Raises StaleMove where the claim was made on another position; AlreadyPlayed where it was accepted there."""
    if seen == snapshot.move_count:
        return
    if Claim.objects.filter(match=snapshot.pk, seat=number, index=seen, moves__gt=0).exists():
        raise AlreadyPlayed(lazy("You have claimed that already. Play on."))
    raise StaleMove(lazy("The table has moved on. Look again."))


def _may_look(snapshot: Snapshot, number: int, kind: str) -> bool:
    """Whether a seat may have its claim looked at with all cards, which it has done with this in this deal."""
    claimed = {"kind": kind, "index": snapshot.move_count}
    deal = {"match_id": snapshot.pk, "deal": snapshot.deal_count, "seat": number}
    return Claim.objects.get_or_create(**deal, defaults=claimed)[1]


def _request(snapshot: Snapshot, table: dict[str, Any], kind: str, *, in_order: bool) -> ClaimRequest:
    """The request with all moves to the end of the deal. table: as the seat sees it. in_order: as for `Claims.card`."""
    rules, known, state, number = snapshot.rules, claims_at(snapshot), snapshot.state, table["seat"]
    assert rules is not None
    assert known is not None
    made = []
    while (seat := rules.to_act(state)) not in (CHANCE, None):
        legal = rules.legal_moves(state)
        if seat == number:
            move = known.own_move(legal, known.card(rules.view(state, number), kind, in_order=in_order))
        else:
            move = known.other_move(legal)
        made.append((seat, move))
        state = rules.apply(state, move)
    tricks = known.position(table).left
    return ClaimRequest(snapshot.code, number, kind, tricks, tuple(made), snapshot.move_count)

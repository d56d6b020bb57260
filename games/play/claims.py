"""Claims at the table: who may make one, how it is proven, and the moves that then end the deal."""

from accounts.limits import allow_user
from accounts.models import User
from games.catalog import CHANCE, get_game
from games.kit.claims import KINDS, Claims, describe_claim
from games.kit.contract import Table
from games.kit.language import lazy
from games.kit.proofs import ALL
from games.kit.words import Names
from games.models import Claim, Match, Move
from games.play import moves, store
from games.play.errors import NO_SEAT, NO_SUCH_MATCH, AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.requests import ClaimRequest
from games.play.snapshot import Snapshot

TOO_OFTEN = lazy("You claim too often. Wait a moment.")
UNPROVEN = lazy("That can’t be proven yet, so play on.")  # The same for every reason, so that it reveals no card.


class TooOften(Refused):
    status = 429


def claims_at(snapshot: Snapshot) -> Claims | None:
    """Return the object that checks claims in the game of a match, or None if nobody can claim there.

    A claim says that a seat takes all tricks that are left, or none of them. If that is certain, the deal ends at once.
    Nobody can claim in guides (prepared deals for newcomers), in games without claims, and at tables whose host has not
    allowed it.
    """
    is_playable = snapshot.status == Match.Status.PLAYING and snapshot.rules is not None and not snapshot.obstacle
    if not is_playable or snapshot.guide or not snapshot.terms.claims:
        return None
    return get_game(snapshot.game).claims


def may_claim(snapshot: Snapshot, number: int | None, table: Table) -> bool:
    """Return whether a seat can claim now that it takes all tricks that are left, or none of them.

    number: of the seat; None for spectators, who cannot. table: all that this seat sees, from `rules.view`.
    """
    if number is None or snapshot.paused_until:
        return False
    claims = claims_at(snapshot)
    return claims is not None and claims.can_claim(table)


def claim_sentence(snapshot: Snapshot, number: int | None) -> str:
    """Return a sentence about the claim that ended the latest deal, for one reader; "" if there was none.

    A claim says that a seat takes all tricks that are left, or none. number: of the reader's seat; None for spectators.
    """
    claim = snapshot.accepted_claim
    if claim is None or snapshot.rules is None:
        return ""
    names = Names([seat.name for seat in snapshot.seats], number)
    partners = snapshot.seat_count in snapshot.rules.partners_at  # With this many seats, two play against two.
    return describe_claim(claim.seat, claim.kind, claim.tricks, names, partners=partners)


def claim(user_id: int | None, code: str, kind: object, *, seen_count: int | None) -> Snapshot:
    """Claim all or none of the tricks that are left, for a player. Return the new snapshot. Raise Refused.

    kind: ALL or NONE. seen_count: how many moves the player's page has shown.
    """
    try:
        snapshot = store.read(code)
    except Match.DoesNotExist:
        raise Refused(NO_SUCH_MATCH) from None
    return claim_at(snapshot, user_id, kind, seen_count=seen_count)


def claim_at(snapshot: Snapshot, user_id: int | None, kind: object, *, seen_count: int | None) -> Snapshot:
    """Claim all or none of the tricks that are left, at a match that has just been read. Return the new snapshot.

    kind: ALL or NONE. seen_count: how many moves the player's page has shown. Raise Refused if the claim is not proven.
    """
    number = snapshot.player_number(user_id)
    if number is None:
        raise NotAllowed(NO_SEAT)
    if not allow_user(User.objects.get(pk=user_id), "claim"):
        raise TooOften(TOO_OFTEN)
    return moves.play(prove(snapshot, number, kind, seen_count=seen_count))


def prove(snapshot: Snapshot, number: int, kind: object, *, seen_count: int | None) -> ClaimRequest:
    """Prove that a seat takes all or none of the tricks that are left. Return the request that plays out the deal.

    number: of the seat. kind: ALL or NONE. seen_count: how many moves the player's page has shown. Raise Refused if
    there is no proof. Takes up to some tenths of a second.
    First we try to prove it from what the seat sees. Otherwise we check it with the actual cards of all seats. A
    refusal then tells the player something about hidden cards, so this is done only once per deal and seat.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refused(lazy("Claim the rest, or none of it."))
    _demand_current(snapshot, number, seen_count)
    claims = claims_at(snapshot)
    table = _view_of(snapshot, number)  # All that the seat sees.
    if claims is None or not claims.can_claim(table) or snapshot.paused_until:
        raise Refused(lazy("There is nothing to claim now. Play on."))
    if claims.is_proven(table, kind):
        return _request_to_play_out(snapshot, table, kind, in_order=False)
    tables = [table if seat == number else _view_of(snapshot, seat) for seat in range(snapshot.seat_count)]
    if _use_check_with_all_cards(snapshot, number, kind) and claims.is_true(table, kind, tables):
        return _request_to_play_out(snapshot, table, kind, in_order=True)
    raise Refused(UNPROVEN)


def sure_claim(snapshot: Snapshot, table: Table) -> ClaimRequest | None:
    """Return a request to claim for the bot to act if it obviously takes all tricks that are left; else None.

    The deal then ends at once. table: all that the bot's seat sees, from `rules.view`. The request holds the time at
    which the bot is due. If that changes before it is carried out, as at a pause, the claim is refused.
    """
    claims = claims_at(snapshot)
    if claims is None or not claims.is_sure(table):
        return None
    request = _request_to_play_out(snapshot, table, ALL, in_order=True)
    return request._replace(actor=Move.Actor.BOT, wake_at=snapshot.wake_at)


def _view_of(snapshot: Snapshot, number: int) -> Table:
    assert snapshot.rules is not None
    return snapshot.rules.view(snapshot.state, number)


def _demand_current(snapshot: Snapshot, number: int, seen_count: int | None) -> None:
    """Raise StaleMove for a claim on an older position, AlreadyPlayed if it was accepted there.

    seen_count: how many moves the match had when the player claimed.
    """
    if seen_count == snapshot.move_count:
        return
    # Only accepted claims have moves.
    if Claim.objects.filter(match=snapshot.pk, seat=number, index=seen_count, moves__gt=0).exists():
        raise AlreadyPlayed(lazy("You have claimed that already. Play on."))
    raise StaleMove(lazy("The table has moved on. Look again."))


def _use_check_with_all_cards(snapshot: Snapshot, number: int, kind: str) -> bool:
    """Use up a seat's only check with all cards in this deal. Return False if it was used before."""
    deal = {"match_id": snapshot.pk, "deal": snapshot.deal_count, "seat": number}
    defaults = {"kind": kind, "index": snapshot.move_count}
    _, is_first_check = Claim.objects.get_or_create(**deal, defaults=defaults)
    return is_first_check


def _request_to_play_out(snapshot: Snapshot, table: Table, kind: str, *, in_order: bool) -> ClaimRequest:
    """Return the request for a proven claim, with the moves of all seats to the end of the deal.

    table: all that the claiming seat sees. kind: ALL or NONE of the tricks that are left. in_order: whether the claim
    holds only if the seat plays its cards in the order in which they were checked. Otherwise it may play any card after
    which the claim is still certain.
    """
    rules, claims, state = snapshot.rules, claims_at(snapshot), snapshot.state
    assert rules is not None
    assert claims is not None
    claimant = table["seat"]
    moves_to_end = []
    while (seat := rules.to_act(state)) not in (CHANCE, None):  # Up to the next shuffle or the end of the match.
        legal = rules.legal_moves(state)
        if seat == claimant:
            card = claims.card(rules.view(state, claimant), kind, in_order=in_order)
            move = claims.own_move(legal, card)
        else:
            move = claims.other_move(legal)  # Any legal move, as none can prevent what was claimed.
        moves_to_end.append((seat, move))
        state = rules.apply(state, move)
    tricks_left = claims.position(table).remaining
    return ClaimRequest(snapshot.code, claimant, kind, tricks_left, tuple(moves_to_end), snapshot.move_count)

"""Checks of moves that all games share, and their refusals."""

from collections.abc import Callable, Mapping, Sequence

from games.kit.cards import is_permutation
from games.kit.contract import Card, IllegalMove, Seat
from games.kit.language import Lazy, lazy, lazy_count, say, say_in
from games.kit.words import SUIT_CARDS, join_words

NOT_DEALT = lazy("The cards are not dealt yet. Wait for the deal.")
OVER = lazy("The match is over.")


type Keys = tuple[str, ...]  # of a move, without "type"
type MoveTypes = Mapping[str, list[Keys]]  # by type of move, the sets of keys that it may have


def move_checker(
    game: str,
    types: Mapping[str, MoveTypes],
    advice: Mapping[str, str],
    wrong_keys: Callable[[str, list[Keys]], str] | None = None,
) -> Callable[[object, str], str]:
    """Return a function check_move(move, phase) that validates a move and returns its type.

    It accepts any value, and raises `IllegalMove` unless the move fits the phase and has exactly the keys of its type.

    game: its name, for players. types: by phase, the types of moves and the sets of keys that each may have. advice: by
    phase, a sentence about what to do. The phases "deal" and "over" are added, which are the same in all games.
    wrong_keys: returns the refusal of a move with other keys, from its type and the sets of keys that it may have.
    """
    types = {"deal": {"deal": [("deck",)]}, "over": {}, **types}
    advice = {"deal": NOT_DEALT, "over": OVER, **advice}
    refuse_keys = wrong_keys or _wrong_keys
    all_kinds = {kind for kinds in types.values() for kind in kinds}
    # By phase and type, the sets of keys that a move may have. All moves have a "type".
    allowed_keys = {
        phase: {kind: tuple(frozenset(("type", *keys)) for keys in key_sets) for kind, key_sets in kinds.items()}
        for phase, kinds in types.items()
    }

    def check_move(move: object, phase: str) -> str:
        """Return the type of a move. Raise `IllegalMove` unless it fits the phase."""
        if type(move) is not dict or type(kind := move.get("type")) is not str:
            raise IllegalMove(refusal("", phase))
        allowed = allowed_keys[phase].get(kind)
        if allowed is None:
            raise IllegalMove(refusal(kind, phase))
        if move.keys() not in allowed:
            raise IllegalMove(refuse_keys(kind, types[phase][kind]))
        return kind

    def refusal(kind: str, phase: str) -> str:
        """Return what to do in this phase, or, if the game has no such moves at all, a sentence that says so."""
        if phase == "over" or kind in all_kinds:
            return advice[phase]
        return lazy("There is no such move in {game}.", game=game)

    return check_move


def _wrong_keys(kind: str, key_sets: list[Keys]) -> Lazy:
    return lazy("A {kind} names {keys} and nothing else.", kind=kind, keys=Lazy(_list_key_sets, key_sets))


def _list_key_sets(key_sets: list[Keys]) -> str:
    """Return, in words, the sets of keys that a move may have: "the card or the card and the belot".

    "type" is no part of them, so the words of an empty set are "its type".
    """
    *others, last = [
        join_words([say_in("key of a move", "the {key}", key=key) for key in keys]) or say("its type")
        for keys in key_sets
    ]
    return say("{others} or {last}", others=", ".join(others), last=last) if others else last


def check_deck(deck: object, pack: Sequence[Card], refusal: str | None = None) -> None:
    """Raise `IllegalMove` unless `deck` is a list of exactly the cards of `pack`, in any order. It may be any value.

    refusal: a sentence for players in place of the usual one.
    """
    if not is_permutation(deck, pack):
        one, many = (
            "A deal takes the {number} card of the pack, each of them once.",
            "A deal takes the {number} cards of the pack, each of them once.",
        )
        raise IllegalMove(refusal or lazy_count(len(pack), one, many))


def must_follow(suit: str) -> Lazy:
    """Return the refusal of a card that does not follow suit. suit: the suit led."""
    return lazy("You hold a {suit}, so you must follow suit.", suit=SUIT_CARDS[suit])


PLAY_ONE = lazy("Play one from your hand.")


def remove_card(
    hands: Sequence[tuple[Card, ...]], seat: Seat, card: object, advice: str = PLAY_ONE
) -> tuple[tuple[Card, ...], ...]:
    """Return the hands of all seats after one seat has given away a card.

    Raise `IllegalMove` if the seat does not hold `card`, which may be any value. advice: a sentence about what to do,
    for the refusal.
    """
    if type(card) is not str or card not in hands[seat]:
        raise IllegalMove(lazy("You do not hold that card. {advice}", advice=advice))
    hand, remaining = list(hands[seat]), list(hands)
    hand.remove(card)
    remaining[seat] = tuple(hand)
    return tuple(remaining)

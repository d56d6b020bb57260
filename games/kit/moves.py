"""What every game's `apply` looks at first, and the refusals that are worded alike in all of them."""

from games.kit.cards import is_permutation
from games.kit.contract import IllegalMove


class MoveTypes:
    """The types of move that a game has in each phase of a deal, and the keys that each of them holds."""

    def __init__(self, game, phases, advice, wrong_keys=None):
        """Make the table of a game.

        game: its name, for players. phases: by phase the types that fit it, each with the ways to make it: a list of
        tuples of the keys it then holds besides the type. advice: by phase a sentence that says what to do in it.
        wrong_keys: makes the sentence that refuses other keys out of a type and its ways.
        """
        self._game, self._phases, self._advice = game, phases | {"over": {}}, advice
        self._wrong_keys = wrong_keys or _one_key_missed
        self._keys = {
            phase: {kind: tuple(frozenset(("type", *keys)) for keys in ways) for kind, ways in types.items()}
            for phase, types in self._phases.items()
        }

    def fitting(self, phase):
        """The types of the moves that fit a phase, in the order of the table."""
        return list(self._phases[phase])

    def check(self, move, phase):
        """The type of `move`, whatever was sent as one.

        Raises `IllegalMove` unless it is a move that fits the phase and holds the keys it should and nothing else.
        """
        kind = move.get("type") if type(move) is dict else None
        keys = self._keys[phase].get(kind) if type(kind) is str else None
        if keys is None:
            raise IllegalMove(self._misfit(kind, phase))
        if move.keys() not in keys:
            raise IllegalMove(self._wrong_keys(kind, self._phases[phase][kind]))
        return kind

    def _misfit(self, kind, phase):
        """Why a move cannot be made in this phase, a sentence. kind: whatever was sent as its type."""
        if phase == "over":
            return "The match is over."
        if type(kind) is not str or not any(kind in types for types in self._phases.values()):
            return f"There is no such move in {self._game}."
        return self._advice[phase]


def _one_key_missed(kind, ways):
    ((key,),) = ways
    return f"A {kind} names the {key} and nothing else."


def check_deck(deck, pack, origin="of the pack"):
    """Raise `IllegalMove` unless `deck`, whatever it is, is a list of just the cards of `pack`."""
    if not is_permutation(deck, pack):
        raise IllegalMove(f"A deal takes the {len(pack)} cards {origin}, each of them once.")


def hands_without(hands, seat, card, advice="Play one from your hand."):
    """The hands, a tuple by seat, after one of them has given away a card.

    Raises `IllegalMove` if the seat does not hold `card`, whatever it is. advice: the sentence that says what to do.
    """
    hand = hands[seat]
    if type(card) is not str or card not in hand:
        raise IllegalMove(f"You do not hold that card. {advice}")
    place = hand.index(card)
    return (*hands[:seat], hand[:place] + hand[place + 1 :], *hands[seat + 1 :])

"""What the analysis of a finished match knows of Bleven: also what speaks for a move besides what comes of it."""

from random import Random

from games.bleven import coach_words as words
from games.bleven.bot import promise, read_table
from games.bleven.brain import WORLDS, BlevenBrain, as_strategy, estimates, filled, is_alike, read_world
from games.bleven.endgame import worths
from games.bleven.letter import beyond_ready, turns_of
from games.bleven.pairs import odds_of
from games.bleven.rules.pack import POWER, VALUES
from games.bleven.rules.state import ENOUGH, FULL_RESERVE
from games.kit.analysis import Analyst, Effort, Scale
from games.kit.language import lazily, said

ROUGH = 0.1  # of each stone at stake: by so much may estimates with four seats be wrong, whose odds are counted
DOUBT = 1.0  # points by which a field must promise more or less than what the rule of thumb goes by to speak clearly


class BlevenAnalyst(Analyst):
    """For two and four seats and all options. It counts the stones of a round, wherever the match stands."""

    scale = Scale(inaccuracy=0.6, mistake=1.2, blunder=2.5)
    effort = Effort(match=150_000, most=3000, open=300)

    meaning = words.JUDGED
    unit = "stone"
    lost = lazily("Stones lost")

    def __init__(self):
        self._brain = BlevenBrain()

    def brain(self, table):
        return self._brain

    def lost_by(self, deal):
        return said("Stones lost by {deal}", deal=deal)

    def candidates(self, table, moves, move, usual):
        found = self._brain.candidates(table, moves, usual)
        return [each for each in found if each == move or not is_alike(each, move)]

    def agrees(self, table, moves, made, other):
        """Whether the solved strategy, or where it is silent the rule of thumb, prefers the other move too.

        In play-outs everybody's habits are known, so that they would wait for others to declare, never bluff, and never
        call a bluff that is seldom made. A move that the strategy makes in a part of its rounds loses nothing; nor does
        one by comparison with what it never does.
        """
        shares = as_strategy(table, [made, other])
        if shares:
            return not shares[0] and shares[1] > 0
        match table["phase"]:
            case "discard":
                return _keeps(table, other) > _keeps(table, made)
            case "turn" | "poll":
                may_draw = any(move["type"] == "draw" for move in moves)
                return _is_for(table, other["type"], may_draw) > _is_for(table, made["type"], may_draw)
            case "predict" if made == self._brain.by_belief(table, moves):
                return False
        if made == self._brain.big_raise(table, moves):
            return False
        of_made, of_other = estimates(table, [made, other])
        return of_other > of_made + (ROUGH * _stake(table, made, other) if table["seats"] == 4 else 0.0)

    def true_world(self, table, state):
        return filled(read_world(table), state)

    def solved(self, world, moves):
        return worths(world, moves)


def _stake(table, *moves):
    """The most stones that are at stake after one of these moves."""
    bet = table["bet"]
    return bet["offered"] + bet["side_bets"] + max(move.get("bet", move.get("plus", 0)) for move in moves)


def _keeps(table, move):
    """Whether a discard keeps 15, and what the field promises that it leaves."""
    position, gone = read_table(table), POWER[move["card"]]
    field = tuple(card for card in position.hand if card != gone)
    return sum(VALUES[card] for card in field) >= ENOUGH, promise(odds_of(position, [field], Random(0), WORLDS)[0])


def _is_for(table, kind, may_draw):
    """By how much what a field promises is clearly beyond what the rule of thumb asks for this type of move.

    0 where it is not clear. Drawing asks for nothing, nor does leaving.
    """
    position = read_table(table)
    turns = turns_of(table["seats"], position.deduced_pays)
    if kind in ("draw", "leave"):
        return 0.0
    if position.short:
        return 0.0 if position.partner else -1.0  # to stay without a chance, for others declare with 15 only
    (odds,) = odds_of(position, [position.hand], Random(0), WORLDS)
    if kind == "declare" and position.deduced_pays:
        beyond = beyond_ready(odds, position.most, may_draw)
    elif kind == "declare":
        beyond = promise(odds) - (turns.last_call if position.discards >= FULL_RESERVE else turns.ready)
    else:
        least = turns.helps if position.partner else turns.stays
        beyond = 0.0 if least is None else promise(odds) - promise(odds[::-1]) - least
    return beyond if abs(beyond) > DOUBT else 0.0


ANALYST = BlevenAnalyst()

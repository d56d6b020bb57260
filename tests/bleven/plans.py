"""Simple plans that a player worth playing must not lose to: one idea each, the rest as the rule of thumb plays."""

from games.catalog import get_bot

ALL = (3, (1, 2, 3))


class Plan:
    """Does one thing whenever it may, by phase; in other phases it plays as `sensible-1`.

    turn: "declare" or "draw" whenever that is legal. poll: "stay" or "leave". predict: (bet, tricks, positions), None
    for the bet meaning all that may be at stake. reply: "out", "suspect", "deduce"; "raise" doubts for all the room,
    "top" predicts the most. side: "pass" bets nothing, "out" gives up when asked, "most" bets all it may.
    """

    def __init__(self, turn="", poll="", predict=None, reply="", side=""):
        self.turn, self.poll, self.predict, self.reply, self.side = turn, poll, predict, reply, side

    def choose(self, table, moves, rng):
        return self._planned(table, moves) or get_bot("bleven", "sensible-1").choose(table, moves, rng)

    def _planned(self, table, moves):
        match table["phase"]:
            case "turn":
                return _of_type(moves, self.turn)
            case "poll":
                return _of_type(moves, self.poll)
            case "predict" if self.predict:
                bet, tricks, positions = self.predict
                bet = bet or table["options"]["max_bet"]
                return {"type": "predict", "bet": bet, "tricks": tricks, "positions": list(positions)}
            case "reply" if self.reply:
                return self._reply(moves)
            case "raise" if self.reply:
                return _of_type(moves, "out" if self.reply == "out" else "accept") or _of_type(moves, "in")
            case "side_bet" | "side_reply" if self.side:
                return self._side(moves)
        return None

    def _reply(self, moves):
        if self.reply == "raise":
            return _dearest([move for move in moves if move["type"] == "suspect" and "tricks" not in move])
        if self.reply == "top":
            topping = [move for move in moves if move.get("tricks") == 3]
            return max(topping, key=_counter, default=None) or _of_type(moves, "suspect")
        return _of_type(moves, self.reply)

    def _side(self, moves):
        if self.side == "most":
            bets = [move for move in moves if move["type"] == "side_bet" and "tricks" not in move]
            return _dearest(bets) or _of_type(moves, "pass") or _of_type(moves, "in")
        return _of_type(moves, "pass") or _of_type(moves, self.side)


def _of_type(moves, kind):
    """The plain move of this type, None where it is not legal."""
    return next((move for move in moves if move == {"type": kind}), None)


def _dearest(moves):
    return max(moves, key=lambda move: move.get("bet", move.get("plus", 0)), default=None)


def _counter(move):
    return len(move.get("positions", ())), move["plus"]


PLANS = {
    "a copy of sensible-1": Plan(),
    "always declare": Plan(turn="declare"),
    "declare, out when bet against": Plan(turn="declare", reply="out", side="out"),
    "declare and leave": Plan(turn="declare", poll="leave"),
    "declare, leave, out": Plan(turn="declare", poll="leave", reply="out", side="out"),
    "0 tricks for the most": Plan(turn="declare", predict=(None, 0, ())),
    "0 tricks for the most, leave, out": Plan(turn="declare", poll="leave", predict=(None, 0, ()), reply="out"),
    "everything for the most": Plan(turn="declare", predict=(None, *ALL)),
    "everything for one stone": Plan(turn="declare", predict=(1, *ALL)),
    "the last two tricks for the most": Plan(turn="declare", predict=(None, 2, (2, 3))),
    "predict one": Plan(turn="declare", predict=(1, 1, ())),
    "one trick for the most": Plan(turn="declare", predict=(None, 1, ())),
    "always suspect": Plan(turn="declare", poll="stay", reply="suspect"),
    "always deduce": Plan(turn="declare", poll="stay", reply="deduce"),
    "always raise": Plan(turn="declare", poll="stay", reply="raise"),
    "always top": Plan(turn="declare", poll="stay", reply="top"),
    "always leave": Plan(poll="leave"),
    "never leave": Plan(turn="declare", poll="stay"),
    "draw as long as one may": Plan(turn="draw"),
    "no side bets": Plan(turn="declare", side="pass"),
    "side bets for the most": Plan(turn="declare", side="most"),
}

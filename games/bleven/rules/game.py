"""The rules of Bleven as every game offers them: `Rules`, put together from the other modules here."""

from games.bleven.rules import moves, play
from games.bleven.rules import view as shown
from games.bleven.rules.sampling import sampled
from games.bleven.rules.state import (
    CROWN,
    PACK,
    Line,
    Match,
    Prediction,
    State,
    between_rounds,
    cleared,
    shown_field,
    side_of,
    words_of,
)
from games.kit.contract import CHANCE, Choice, Meaning, OptionField, Rules, as_lists, as_tuples


class Bleven(Rules):
    """Source: the rules page of Bleven, whose headings the other modules name."""

    slug = "bleven"
    name = "Bleven"
    summary = "Change your cards, predict the tricks you will win, and bet on it against whoever doubts you."
    version = 1
    seat_counts = (2, 4)
    default_seats = 2
    meanings = {
        "trick_won": Meaning.TRICK_FINISHED,
        "round_scored": Meaning.DEAL_SCORED,
    }
    partners_at = (4,)

    # Options

    def option_fields(self, seats=None):
        return (
            OptionField(
                "crowns",
                "Crowns to win",
                f"How many crowns, of {CROWN} stones each, win the match.",
                tuple(
                    Choice(crowns, label, f"The match is won with {crowns * CROWN} stones.")
                    for crowns, label in enumerate(("One crown", "Two crowns", "Three crowns"), 1)
                ),
                1,
            ),
            OptionField(
                "max_bet",
                "Highest stake",
                "The most stones that can be at stake in a round, side bets included.",
                tuple(Choice(stones, f"{stones} stones") for stones in range(4, 31)),
                10,
            ),
            OptionField(
                "deduced_miss",
                "Failed prediction",
                "What the replier wins who believed in a prediction that fails.",
                (
                    Choice("nothing", "Nothing", "Only who said suspect wins the bet when the prediction fails."),
                    Choice("bet", "The bet", "When the prediction fails the bet goes to the replier in any case."),
                ),
                "nothing",
            ),
        )

    def new_match(self, seats, options):
        match = Match(seats, **self.clean_options(seats, options))
        return cleared(match, (), (0, 0), None, "deal", CHANCE)

    # Moves

    def to_act(self, state):
        return state.to_act

    def deck(self, state):
        return list(PACK) if state.phase == "deal" else []

    def legal_moves(self, state):
        return moves.legal_moves(state)

    def apply(self, state, move):
        moves.check(state, move)
        kind = move["type"]
        if kind == "deal":
            return play.deal(state, move["deck"])
        if kind == "draw":
            return play.draw(state)
        if kind == "discard":
            return play.discard(state, move["card"])
        return _SPOKEN[kind](_with_words(state, move), move)

    # End of the match

    def standings(self, state):
        if state.phase != "over":
            return []
        seats = state.match.seats
        by_place = sorted(range(seats), key=lambda seat: (side_of(seat) != state.winner, seat))
        return [
            {
                "seat": seat,
                "team": self.team_of(seat, seats),
                "score": state.totals[side_of(seat)],
                "place": 1 if side_of(seat) == state.winner else 2,
            }
            for seat in by_place
        ]

    def score_sheet(self, state):
        return shown.score_sheet(state)

    # View

    def view(self, state, seat):
        return shown.view(self.slug, state, seat)

    def hidden_from(self, state, seat):
        if between_rounds(state) and not state.lines:
            return set()
        fields = [shown_field(state, other) or () for other in range(state.match.seats)]
        if seat is not None:
            fields.append(state.fields[seat])
        played = [card for trick in state.tricks for _, card in trick]
        return set(PACK).difference(played, *fields, *state.reserves)

    def sample(self, view, rng):
        return sampled(view, rng)

    # Events

    def events(self, before, move, after):
        happened = shown.events(before, move, after)
        if after.phase == "over":
            happened.append({"type": "match_over", "standings": self.standings(after)})
        return happened

    # Positions as stored

    def dump(self, state):
        return {name: as_lists(value) for name, value in state._asdict().items()}

    def load(self, data):
        stored = {name: as_tuples(value) for name, value in data.items()}
        stored["match"] = Match(*stored["match"])
        stored["lines"] = tuple(line and _loaded_line(line) for line in stored["lines"])
        stored["prediction"] = stored["prediction"] and Prediction(*stored["prediction"])
        return State(**stored)


def _loaded_line(values):
    line = Line(*values)
    return line._replace(prediction=line.prediction and Prediction(*line.prediction))


# What is said aloud, by type: the state after the move, from the state with its words and the move.


def _with_words(state, move):
    return state._replace(said=(*state.said, (state.to_act, words_of(move))))


def _predict(state, move):
    return play.predict(state, _prediction(move), move["bet"])


def _answer(state, move):
    if "tricks" in move:
        return play.predict(state, _prediction(move), move["plus"])
    if "plus" in move:
        return play.answer_with_plus(state, move["type"], move["plus"])
    return play.answer(state, move["type"])


def _side_bet(state, move):
    if "tricks" in move:
        return play.predict(state, _prediction(move), move["bet"])
    return play.side_bet(state, move["bet"])


def _in(state, move):
    return play.take_side_bet(state) if state.phase == "side_reply" else play.accept(state)


def _prediction(move):
    return Prediction(move["tricks"], tuple(move.get("positions", ())))


_SPOKEN = {
    "stay": lambda state, move: play.stay(state),
    "leave": lambda state, move: play.leave(state),
    "declare": lambda state, move: play.declare(state),
    "predict": _predict,
    "deduce": _answer,
    "suspect": _answer,
    "out": lambda state, move: play.out(state),
    "accept": lambda state, move: play.accept(state),
    "in": _in,
    "side_bet": _side_bet,
    "pass": lambda state, move: play.pass_on(state),
}

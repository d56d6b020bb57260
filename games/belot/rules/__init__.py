"""The rules of Belot as every game offers them: `Rules`, put together from the other modules here."""

from games.belot.rules import moves, options, sampling, scoring, state, view
from games.belot.rules.state import Match
from games.kit.contract import Meaning, Rules, made_of
from games.kit.language import lazy


@made_of(options, state, moves, scoring, view, sampling)
class Belot(Rules):
    """Source: the rules page of Belot, whose headings the other modules name."""

    slug = "belot"
    name = "Belot"
    summary = lazy("Bid for the right to name trumps, then take more points than the other side.")
    version = 1
    seat_counts = (2, 3, 4)
    partners_at = (4,)
    presets = options.PRESETS
    usual_preset = "club"
    formats = options.FORMATS
    difficulty = lazy("A few deals to learn")
    meanings = {
        "card_played": Meaning.CARD_PLAYED,
        "trick_won": Meaning.TRICK_FINISHED,
        "hand_scored": Meaning.DEAL_SCORED,
        "passed_out": Meaning.DEAL_DROPPED,
    }

    sample_many = staticmethod(sampling.sample_many)

    def new_match(self, seats, options):
        return state.new_match(Match(seats, **self.clean_options(seats, options)))

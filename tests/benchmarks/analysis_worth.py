"""What the analysis of finished matches is worth: what it marks, and what it costs.

    python tests/benchmarks/analysis_worth.py [--game oh-hell] [--seats 4] [--format full] [--preset letter]
        [--matches 4] [--seed 1] [--bots hard random] [--twice]

Bots play matches with themselves, as most people play the game, and every decision is judged as the site does it. It
prints a line of JSON for each kind of bot:

- decisions, judged: moves with an alternative, and those of them that had one of another worth.
- marks: how many in a hundred decisions got which mark; sure: between which shares of blunders the true one lies, with
  19 to 1.
- lost: points lost a decision.
- exact: how many in a hundred of those judged were worked out with open cards.
- seconds: of CPU time that judging took, for each match: the most and the mean.
- same: with --twice, whether each verdict came out the same in another process.
"""

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from pathlib import Path
from random import Random
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.bot_process import Decision, judge_decision
from games.catalog import CHANCE, get_bot, get_game, get_rules
from games.kit.analysis import BLUNDER, SIGNS
from games.kit.arena import play_match


def decisions(game, seats, format_slug, preset, bot, seed):
    """The Decisions of one match of a bot with itself, as `games.analysis.working` asks them.

    preset: its slug; "" for the one that most people play by.
    """
    rules = get_rules(game)
    options = rules.named_options(seats, rules.find_preset(preset), rules.find_format(format_slug))
    bots = [Noting(get_bot(game, bot)) for _ in range(seats)]
    states = list(play_match(rules, options, bots, Random(f"{seed}:decks"), Random(f"{seed}:{bot}")))
    made = [list(each.made) for each in bots]
    found = []
    for index, state in enumerate(states[:-1]):
        seat = rules.to_act(state)
        if seat == CHANCE:
            continue
        move = made[seat].pop(0)
        if len(rules.legal_moves(state)) > 1:
            found.append((index, rules.dump(state), move))
    play_outs = get_game(game).analyst.effort.per_decision(len(found))
    return [
        Decision(game, rules.version, position, move, f"move {index}", play_outs) for index, position, move in found
    ]


class Noting:
    """A bot, and the moves that it has made."""

    def __init__(self, bot):
        self.bot, self.made = bot, []

    def choose(self, table, moves, rng):
        self.made.append(self.bot.choose(table, moves, rng))
        return self.made[-1]


def verdicts(asked):
    """The judgements of a match, a list."""
    found = [judge_decision(decision) for decision in asked]
    assert not any(judgement.error for judgement in found), next(each.error for each in found if each.error)
    return found


def figures(matches):
    """What is printed of the judgements of matches, lists."""
    everything = [judgement for found in matches for judgement in found]
    seen = [judgement.as_verdict() for judgement in everything if judgement.verdict is not None]
    marks = Counter(verdict.mark for verdict in seen)
    count = len(everything)
    share = marks[BLUNDER] / count
    error = 1.96 * (max(share * (1 - share), 1 / count) / count) ** 0.5
    seconds = [sum(judgement.seconds for judgement in found) for found in matches]
    return {
        "decisions": count,
        "judged": len(seen),
        "marks": {sign: round(100 * marks[mark] / count, 2) for mark, sign in SIGNS.items()},
        "sure": [round(100 * max(share - error, 0), 2), round(100 * (share + error), 2)],
        "lost": round(sum(verdict.lost for verdict in seen) / count, 3),
        "exact": round(100 * sum(verdict.exact for verdict in seen) / len(seen)),
        "seconds": {"most": round(max(seconds), 1), "mean": round(mean(seconds), 1)},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="oh-hell")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--format", default="full")
    parser.add_argument("--preset", default="")
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--bots", nargs="*", default=["hard", "random"])
    parser.add_argument("--twice", action="store_true")
    chosen = parser.parse_args()
    for bot in chosen.bots:
        matches, same = [], True
        for number in range(chosen.matches):
            asked = decisions(chosen.game, chosen.seats, chosen.format, chosen.preset, bot, f"{chosen.seed}:{number}")
            matches.append(verdicts(asked))
            if chosen.twice:
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    again = pool.apply(verdicts, [asked])
                same = same and [each.verdict for each in again] == [each.verdict for each in matches[-1]]
        known = {
            "game": chosen.game,
            "seats": chosen.seats,
            "format": chosen.format,
            "preset": chosen.preset,
            "bot": bot,
        }
        print(json.dumps(known | figures(matches) | ({"same": same} if chosen.twice else {})), flush=True)


if __name__ == "__main__":
    main()

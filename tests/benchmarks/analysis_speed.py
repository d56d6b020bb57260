"""How long an analysis takes, and how far its marks agree with a much longer search.

    python tests/benchmarks/analysis_speed.py GAME [--seats 4] [--deals N] [--matches 1] [--seed 1] [--times N]

Bots of the levels easy and normal play matches of at most N deals. All decisions of a match are judged in this process,
as an analysis judges them. The program prints for each match the CPU seconds, the number of decisions and the marks.

With --times, every decision is also judged with N times the play-outs and without an early end. The program
prints the decisions whose marks differ, with the points lost by both, and the share of equal marks.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.catalog import CHANCE, get_bot, get_game, get_rules
from games.kit import analysis
from games.kit.analysis import Turn, Verdict, judge

LEVELS = ("easy", "normal")


def decisions_of(game: str, seats: int, deals: int, seed: str) -> Iterator[Turn]:
    """Yield the decisions of a match of bots. deals: the most to play."""
    rules, rng = get_rules(game), Random(seed)
    bots = [get_bot(game, LEVELS[seat % 2]) for seat in range(seats)]
    state = rules.new_match(seats, rules.usual_options(seats))
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            deals -= 1
            if deals < 0:
                return
            deck = rules.deck(state)
            rng.shuffle(deck)
            move = {"type": "deal", "deck": deck}
        else:
            moves = rules.legal_moves(state)
            move = bots[seat].choose(rules.view(state, seat), moves, rng)
            if len(moves) > 1:
                yield Turn(rules, state, move)
        state = rules.apply(state, move)


def judge_all(turns: list[Turn], times: int = 1) -> list[Verdict | None]:
    """Return the verdicts on the decisions of a match. times: how many times the usual play-outs there are."""
    analyst = get_game(turns[0].rules.slug).analyst
    assert analyst
    play_outs = times * analyst.effort.per_decision(len(turns))
    return [judge(analyst, turn, f"move {index} of {times}", play_outs) for index, turn in enumerate(turns)]


def thorough(turns: list[Turn], times: int) -> list[Verdict | None]:
    """Return the verdicts of comparisons that never end early."""
    usual = analysis.SETTLED
    try:
        analysis.SETTLED = float("inf")
        return judge_all(turns, times)
    finally:
        analysis.SETTLED = usual


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=0)
    arguments = parser.parse_args()
    equal = judged = 0
    for number in range(arguments.matches):
        turns = list(decisions_of(arguments.game, arguments.seats, arguments.deals, f"{arguments.seed}:{number}"))
        began = process_time()
        verdicts = judge_all(turns)
        seconds = process_time() - began
        marks = Counter(verdict.mark for verdict in verdicts if verdict)
        print(f"match {number}: {seconds:.1f} s, {sum(marks.values())} decisions, {dict(marks)}", flush=True)
        if not arguments.times:
            continue
        for index, (verdict, longer) in enumerate(zip(verdicts, thorough(turns, arguments.times), strict=True)):
            if verdict is None or longer is None:
                continue
            judged += 1
            equal += verdict.mark == longer.mark
            if verdict.mark != longer.mark:
                print(f"  {index}: {verdict.mark!r} {verdict.lost:.1f}, {longer.mark!r} {longer.lost:.1f}")
        print(f"equal marks: {equal} of {judged}, {100 * equal / judged:.1f} %", flush=True)


if __name__ == "__main__":
    main()

"""What a move costs early and late in a match: checked, stored and drawn for every seat.

    .venv/bin/python tests/benchmarks/move_cost.py

Plays long matches of five seats (659 moves) as everybody's are, on a new SQLite file, and compares the median CPU time
of the moves around index 10 with that around index 600. Both lie in hands of nine and ten cards.
"""

import json
import statistics
import time

from own_site import new_site

WINDOWS = {"10": range(6, 46), "600": range(600, 640)}
MATCHES = 12


def main():
    from games.bot_process import rule_move
    from games.catalog import CHANCE
    from games.fragments import Fragments
    from games.models import Match
    from games.play import due, moves
    from tests import opening

    times = {name: [] for name in WINDOWS}
    for number in range(MATCHES):
        snapshot = opening.open_table(
            None, "oh-hell", seats=5, bots=5, speed="untimed", seed=f"{number:064x}", shuffle_code="benchmark"
        )
        while snapshot.status == Match.Status.PLAYING:
            chance = snapshot.to_act == CHANCE
            move = None if chance else rule_move(due.question_of(snapshot))
            begun = time.process_time()
            after = moves.play_move(
                snapshot.code,
                snapshot.to_act,
                move,
                seen_count=snapshot.move_count,
                actor="chance" if chance else "bot",
            )
            drawer = Fragments(after)
            table = drawer.felt
            for seat in range(5):
                table += drawer.mine(seat, seen=snapshot.move_count)
            taken = time.process_time() - begun
            for name, window in WINDOWS.items():
                if snapshot.move_count in window and not chance:
                    times[name].append(taken)
            snapshot = after
    medians = {name: round(1000 * statistics.median(taken), 3) for name, taken in times.items()}
    print(json.dumps({"cpu_ms_at_move": medians, "ratio": round(medians["600"] / medians["10"], 3)}))


if __name__ == "__main__":
    with new_site():
        main()

"""Cards dealt anew in the past: whatever the seat has seen, it has seen with the other cards too."""

import pytest

from games.catalog import CHANCE
from games.challenges.dealing import dealt_anew
from games.history.folding import Folding, deals
from tests.kit.playing import every_table, played_on, random_options

MOVES = 120  # of a match that are looked at


def some_deals(rules, seats, rng):
    """Yield (before, moves, steps) of the deals of a random match: the state before each, and its moves with theirs."""
    start = rules.new_match(seats, random_options(rules, seats, rng))
    folding = Folding(rules, start)
    for before, move, after in played_on(rules, start, rng):
        seat = rules.to_act(before)
        folding.add_played(None if seat == CHANCE else seat, (before, move, after))
        if len(folding.steps) == MOVES:
            break
    for deal in deals(folding.steps):
        before = folding.steps[deal.first - 1].state if deal.first else start
        yield before, folding.steps[deal.first : deal.last + 1], deal.start - deal.first


@pytest.mark.whole
@every_table
def test_seat_has_seen_the_same_with_cards_dealt_anew(rules, seats, rng):
    for before, steps, dealt in some_deals(rules, seats, rng):
        seat, end = rng.randrange(seats), rng.randrange(dealt, len(steps))
        moves = [step.move for step in steps[: end + 1]]

        other = dealt_anew(rules, before, moves, seat, rng)

        state = before
        for move, step in zip(other, steps, strict=False):
            state = rules.apply(state, move)
            assert rules.view(state, seat) == rules.view(step.state, seat)


def test_hidden_cards_do_change(rng):
    from games.catalog import get_rules

    rules, changed = get_rules("oh-hell"), 0
    for before, steps, dealt in some_deals(rules, 4, rng):
        moves = [step.move for step in steps[: dealt + 1]]
        if len(rules.view(steps[dealt].state, 0)["hand"]) > 2:
            changed += dealt_anew(rules, before, moves, 0, rng) != moves

    assert changed

"""The par of a deal of the day: the points that our bots make of it, with one of them in everybody's seat."""

from games.catalog import CHANCE
from games.challenges import days
from games.challenges.challenges import start_of
from games.challenges.models import Challenge
from games.deal_index.making import deal_facts
from games.history.folding import Folding
from games.kit.shuffle import Shuffles
from games.play.due import move_of, question_at
from games.play.thinkers import ask


def store_next_par() -> bool:
    """Let the bots play a deal of today that has no par, and store their result. Return whether there was one."""
    challenge = Challenge.objects.filter(day=days.today(), par=None).first()
    if challenge is None:
        return False
    Challenge.objects.filter(pk=challenge.pk).update(par=par_of(challenge))
    return True


def par_of(challenge: Challenge) -> float:
    """Return the points of everybody's seat if bots play a deal of the day. A deal that is passed out gives 0."""
    start = start_of(challenge)
    rules, seats = start.rules, len(start.places)
    shuffles = Shuffles(challenge.seed, ("",) * seats)
    state = rules.new_match(seats, start.options)
    folding, deals, has_begun = Folding(rules, state), 0, False
    while (seat := rules.to_act(state)) is not None and not (seat == CHANCE and has_begun):
        if seat == CHANCE:
            deals += 1
            folding.add([(None, {"type": "deal", "deck": shuffles.deck(rules.deck(state), deals)})])
        else:
            has_begun = True
            question = question_at(rules, state, challenge.bots[seat], challenge.seed, len(folding.steps))
            folding.add([(seat, move_of(question, ask(question, owner="par")))])
        state = folding.steps[-1].state
    return next((float(facts.seats[challenge.seat]["points"]) for _, facts in deal_facts(rules, folding.steps)), 0.0)

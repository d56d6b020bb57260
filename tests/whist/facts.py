"""What there is to know of a deal of Whist. Source: "Facts" on the rules page."""

from games.kit.facts import DealFacts


def facts(sheet, events):
    """The DealFacts of the deal scored last. sheet: the score sheet after it. events: all of the deal."""
    row = sheet["deals"][-1]
    scores = [sum(deal["points"][side] for deal in sheet["deals"]) for side in (0, 1)]
    return DealFacts(
        {"trump": row["trump"]},
        tuple(
            {"points": row["points"][seat % 2], "score": scores[seat % 2], "tricks": row["tricks"][seat % 2]}
            for seat in range(4)
        ),
    )

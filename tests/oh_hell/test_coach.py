"""What the coach of Oh Hell says of a card and of a bid."""

from games.catalog import get_game, get_rules
from games.kit.coach import Thought, explain
from games.kit.search import Option
from games.oh_hell.coach import OhHellCoach

RULES = get_rules("oh-hell")
COACH = OhHellCoach()


def table(**changes):
    """Seat 0 leads the last three cards of a hand with hearts as trumps; it has bid one trick and has none."""
    usual = {
        "seat": 0,
        "seats": 3,
        "phase": "play",
        "options": {"scoring_style": "positive"},
        "trump": "H",
        "turned": "2H",
        "dealer": 2,
        "hand": ["KS", "3S", "4D"],
        "hand_counts": [3, 3, 3],
        "bids": [1, 0, 1],
        "taken": [0, 0, 0],
        "tricks": [],
        "trick": {"leader": 0, "plays": []},
    }
    return usual | changes


def reasons(card, **changes):
    return COACH.reasons(table(**changes), {"type": "play", "card": card})


def trick(*cards, leader=1):
    return {"leader": leader, "plays": [{"seat": (leader + at) % 3, "card": card} for at, card in enumerate(cards)]}


def test_it_says_what_is_still_needed_and_what_is_still_out():
    assert reasons("KS") == ["You need one more trick.", "The ace of spades is still out."]
    assert reasons("3S")[1] == "10 higher spades are still out."


def test_what_has_been_played_is_not_out():
    gone = [{"leader": 1, "winner": 1, "plays": [{"seat": 1, "card": "AS"}]}]

    assert reasons("KS", tricks=gone)[1] == "Only a trump can beat it."


def test_it_says_what_becomes_of_a_card_in_this_trick():
    assert reasons("3S", trick=trick("JS", "2S"))[1] == "It can’t take this trick."
    assert reasons("KS", trick=trick("JS", "2S"))[1] == "It takes this trick: nobody plays after you."


def test_it_says_where_the_bid_stands():
    assert reasons("KS", bids=[3, 0, 1])[0] == "You need every trick that is left."
    assert reasons("KS", bids=[0, 0, 1])[0].startswith("You have all the tricks that you bid")
    assert reasons("KS", taken=[2, 0, 0])[0].startswith("Your bid can’t be made any more, but")


def test_at_the_bid_it_says_what_the_hand_is_worth():
    bidding = table(phase="bid", bids=[None] * 3, hand=["AH", "KH", "QH"])

    assert COACH.reasons(bidding, {"type": "bid", "tricks": 3}) == ["Your hand is worth about 3.0 tricks on average."]
    assert get_game("oh-hell").coach.advice({"type": "bid", "tricks": 3}) == "Bid 3."


def test_what_worlds_say_is_a_lead_and_what_a_rule_promises_is_points():
    bidding = table(phase="bid", bids=[None] * 3, hand=["AH", "KH", "QH"])
    bids = [{"type": "bid", "tricks": tricks} for tricks in (2, 3)]
    tried = [Option(bids[1], -1.5, 0.4, 30, 0.0, 0.0), Option(bids[0], -4.0, 0.4, 30, -2.5, 0.3)]
    promised = [Option(bids[1], 9.5, 0.0, 0, 0.0, 0.0), Option(bids[0], 7.0, 0.0, 0, -2.5, 0.0)]

    of_worlds, of_rule = (explain(COACH, Thought(bidding, bids, bids[1], each), None) for each in (tried, promised))

    assert (str(of_worlds["unit"]), str(of_rule["unit"])) == ("Lead on average", "Points on average")
    assert COACH.worth(-1.5) == "a loss of 1.5 points"
    promise = "Worth 9.5 points on average, 2.5 better than a bid of 2."
    assert COACH.estimate(*promised, 2.5) == promise
    assert str(of_worlds["meaning"]).startswith("Points are compared")
    assert str(of_rule["meaning"]) == "The points of this hand."


def contrast(made, better, **changes):
    kind, key = ("bid", "tricks") if isinstance(made, int) else ("play", "card")
    return COACH.contrast(table(**changes), {"type": kind, key: made}, {"type": kind, key: better})


def test_a_better_card_does_what_the_bid_needs():
    ended = {"trick": trick("JS", "2S")}

    assert contrast("3S", "KS", **ended) == (
        "The bid needs one more trick. "
        "The king of spades is sure to take this trick; the three of spades can’t take it."
    )
    assert contrast("KS", "3S", bids=[0, 0, 1], **ended).startswith(
        "The bid is made: one more trick is too many. The king"
    )
    assert contrast("3S", "KS", bids=[0, 0, 1], **ended) == ""


def test_a_high_card_is_not_thrown_away_while_tricks_are_needed():
    ended = {"trick": trick("AS", "2S")}

    assert "The king of spades is sure to lose; the three of spades is as good" in contrast("KS", "3S", **ended)
    assert contrast("3S", "KS", **ended) == ""
    assert "a safe moment for a strong card: the king of spades" in contrast("3S", "KS", bids=[0, 0, 1], **ended)


def test_a_card_led_is_compared_by_what_beats_it():
    assert "The three of spades is easier to beat than the king of spades." in contrast("3S", "KS")
    assert contrast("3S", "4D") == ""


def test_of_a_lost_bid_it_depends_on_the_scoring():
    lost = {"taken": [2, 0, 0], "trick": trick("JS", "2S")}

    assert contrast("3S", "KS", **lost).startswith("The bid is lost, but every trick still counts a point. The king")
    assert contrast("3S", "KS", options={"scoring_style": "neutral"}, **lost) == ""
    assert contrast("KS", "3S", options={"scoring_style": "negative"}, **lost).startswith("The bid is lost, and every")


def test_a_better_bid_is_nearer_to_what_the_hand_is_worth():
    bidding = {"phase": "bid", "bids": [None, 0, 1]}

    assert contrast(3, 1, **bidding).startswith("The hand is worth about ")
    assert contrast(1, 3, **bidding) == ""

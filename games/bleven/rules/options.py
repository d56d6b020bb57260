"""The options of a match of Bleven and how they are put to players. Source: "Options" on the rules page."""

from games.bleven.rules.state import CROWN
from games.kit.contract import Choice, Format, OptionField, Preset

PRESETS = (
    Preset(
        "house",
        "House rules",
        "Giving up costs 4 stones in all, any bet can be topped by a better prediction, and a match always ends.",
        {},
    ),
    Preset(
        "letter",
        "To the letter",
        "As its author wrote it: stakes up to 30, giving up for a stone, belief that wins bets too, side bets to any "
        "number, as many draws as you like, and no last round.",
        {
            "max_bet": 30,
            "deduced_miss": "bet",
            "leave_cost": 1,
            "counter": "any",
            "side_changes": "open",
            "five": "may",
            "rounds": 0,
        },
    ),
)

FORMATS = (
    Format("short", "Short", "One crown", {"crowns": 1}, {2: 6, 4: 4}),
    Format("full", "Long", "Two crowns", {"crowns": 2}, {2: 12, 4: 8}),
)

_STAKES = {  # what may be said of a highest stake
    4: "Points count for more than bets.",
    10: "As much as two tricks with two positions bring.",
    30: "A whole crown in one round.",
}


def option_fields(seats=None):
    """The fields, for this number of seats or for any number (None)."""
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
            tuple(Choice(stones, f"{stones} stones", _STAKES.get(stones, "")) for stones in range(4, 31)),
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
        OptionField(
            "leave_cost",
            "Price of giving up",
            "What each opponent of a side gets that leaves or is short of 15; one stone more if it goes out.",
            (
                Choice(1, "1 stone", "Cheap, so many rounds end before the tricks. A pair gets 2."),
                Choice(2, "2 stones", "Usual with four players: a pair gets 4."),
                Choice(3, "3 stones", "A pair gets 6."),
                Choice(4, "4 stones", "Usual with two players; a pair gets 8."),
                Choice(5, "5 stones", "Dear: as much as many a bet. A pair gets 10."),
            ),
            2 if seats == 4 else 4,
        ),
        OptionField(
            "counter",
            "Counter-prediction",
            "How many stones the replier must add to answer a prediction with one of their own.",
            (
                Choice("any", "Any", "One or more; without room for one, none, if more tricks or positions are named."),
                Choice("double", "Double", "At least as many as are at stake, so that high bets can't be answered so."),
            ),
            "any",
        ),
        OptionField(
            "side_changes",
            "New numbers in side bets",
            "Who may change the number of tricks by a side bet, and when.",
            (
                Choice(
                    "closed",
                    "Closed",
                    "The declaring side upwards, the others once it fails; it doubles the stakes.",
                ),
                Choice("open", "Open", "Either side, to any number it can still reach, for a stone or more."),
            ),
            "closed",
        ),
        OptionField(
            "five",
            "Five cards in the reserve",
            "Whether you may draw on with five cards in your reserve.",
            (
                Choice("must", "Stop", "You stay or leave, or declare with 15 or more."),
                Choice("may", "Draw on", "You may draw as long as there are cards in the pile."),
            ),
            "must",
        ),
        OptionField(
            "rounds",
            "Most rounds",
            "After how many rounds the higher total wins; if the totals are level, one more round decides.",
            (
                Choice(0, "No limit", "The match goes on until a side has its crowns, however long that takes."),
                Choice(20, "20 rounds", "A match to one crown rarely gets there, one to three often does."),
                Choice(40, "40 rounds", "Few matches get there."),
                Choice(60, "60 rounds", "There only so that every match ends."),
                Choice(100, "100 rounds", "The longest that still has an end."),
            ),
            60,
        ),
    )

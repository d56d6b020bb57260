"""The options of a match of Bleven and how they are put to players. Source: "Options" on the rules page."""

from functools import cache

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
        "As its author wrote it: up to 30 stones at stake, giving up costs 1, believing can win the bet too, side bets "
        "to any number of tricks, as many draws as you like, and no last round.",
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
    Format("short", "Short", "One crown", {"crowns": 1}, {2: 6, 4: 4}, {2: 27, 4: 17}),
    Format("full", "Long", "Two crowns", {"crowns": 2}, {2: 12, 4: 8}, {2: 62, 4: 32}),
)

_STAKES = {  # what may be said of a highest stake
    4: "Points count for more than bets.",
    10: "As much as two tricks with two positions bring.",
    30: "A whole crown in one round.",
}


@cache  # lists ask for them line by line
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
            "What a player who believed a prediction gets when it fails.",
            (
                Choice("nothing", "Nothing", "Of those who answer, only one who doubted it (suspect) wins the bet."),
                Choice("bet", "The bet", "A prediction that fails loses the bet, whatever was answered."),
            ),
            "nothing",
        ),
        OptionField(
            "leave_cost",
            "Price of giving up",
            "What a side that leaves, goes out or has less than 15 gives to each opponent; going out, 1 stone more.",
            (
                Choice(1, "1 stone", "Cheap, so many rounds end before the tricks. A pair gets 2."),
                Choice(2, "2 stones", "The usual price with four players: a pair gets 4."),
                Choice(3, "3 stones", "A pair gets 6."),
                Choice(4, "4 stones", "The usual price with two players; a pair gets 8."),
                Choice(5, "5 stones", "As much as a middling bet. A pair gets 10."),
            ),
            2 if seats == 4 else 4,
        ),
        OptionField(
            "counter",
            "Counter-prediction",
            "How many stones it takes to answer a prediction with one of your own.",
            (
                Choice(
                    "any",
                    "Any",
                    "One or more. With no room for another: none, but then it must name more tricks or positions.",
                ),
                Choice(
                    "double", "Double", "At least as many as are at stake, so a high bet can’t be answered like this."
                ),
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
                    "The declaring side may go up, the others change it once it fails. It at least doubles the stakes.",
                ),
                Choice(
                    "open", "Open", "Either side may change it to any number it can still reach, for a stone or more."
                ),
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
                Choice(60, "60 rounds", "Hardly ever reached; it makes sure that every match ends."),
                Choice(100, "100 rounds", "The longest match that is sure to end."),
            ),
            60,
        ),
    )

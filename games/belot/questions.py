"""What deals of Belot are searched by."""

from games.belot.table.terms import CONTRACT_WORDS, KINDS
from games.kit.questions import Answer, Question, points, yes
from games.kit.words import said

QUESTIONS = (
    Question(
        "contract",
        "Contract",
        tuple(
            Answer(contract.lower(), words.capitalize(), said("The contract was {contract}.", contract=words), contract)
            for contract, words in CONTRACT_WORDS.items()
        ),
        of_seat=False,
    ),
    Question(
        "level",
        "Doubled",
        (
            Answer("no", "Not doubled", "It was not doubled.", 1),
            Answer("yes", "Doubled, at least", "It was doubled.", 2, "gte"),
            Answer("redoubled", "Redoubled, at least", "It was redoubled.", 4, "gte"),
            Answer("third", "Doubled a third time", "It was doubled a third time.", 8),
        ),
        of_seat=False,
    ),
    Question(
        "outcome",
        "Outcome",
        (
            Answer("made", "Made", "The contract was made.", "made"),
            Answer("inside", "Inside", "The bidders were inside.", "inside"),
            Answer("hanging", "Hanging", "Points were left hanging.", "hanging"),
        ),
        of_seat=False,
    ),
    Question(
        "role",
        "Part in it",
        (
            Answer("bidder", "Bid it", "{who} bid the contract.", "bidder"),
            Answer("partner", "Partner bid it", "{who} had a partner who bid the contract.", "partner"),
            Answer("defender", "Defended", "{who} defended.", "defender"),
        ),
    ),
    Question("doubled", "Said double", yes("Yes", "{who} doubled.")),
    Question(
        "declaration",
        "Best declaration",
        tuple(
            Answer(kind, words, said("The best that {{who}} declared was a {kind}.", kind=words.lower()), kind)
            for kind, words in KINDS.items()
        ),
    ),
    Question("belots", "Belot", (Answer("yes", "Announced", "{who} announced a belot.", 1, "gte"),)),
    Question("valat", "Valat", yes("Took every trick", "{who} took part in a valat.")),
    Question("kirtik", "Kirtik", yes("Paid one", "{who} paid a kirtik.")),
    points("{who} scored {points} or more.", (10, 16, 20, 26, 30, 50), "{who} scored less than nothing."),
)

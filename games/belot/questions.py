"""What deals of Belot are searched by."""

from games.belot.table.terms import A_KIND, CONTRACT_TITLES, CONTRACT_WORDS, KINDS
from games.kit.language import lazily
from games.kit.questions import WHO, Answer, Question, points, yes

QUESTIONS = (
    Question(
        "contract",
        lazily("Contract"),
        tuple(
            Answer(
                contract.lower(),
                CONTRACT_TITLES[contract],
                lazily("The contract was {contract}.", contract=words),
                contract,
            )
            for contract, words in CONTRACT_WORDS.items()
        ),
        of_seat=False,
    ),
    Question(
        "level",
        lazily("Doubled"),
        (
            Answer("no", lazily("Not doubled"), lazily("It was not doubled."), 1),
            Answer("yes", lazily("Doubled, at least"), lazily("It was doubled."), 2, "gte"),
            Answer("redoubled", lazily("Redoubled, at least"), lazily("It was redoubled."), 4, "gte"),
            Answer("third", lazily("Doubled a third time"), lazily("It was doubled a third time."), 8),
        ),
        of_seat=False,
    ),
    Question(
        "outcome",
        lazily("Outcome"),
        (
            Answer("made", lazily("Made"), lazily("The contract was made."), "made"),
            Answer("inside", lazily("Inside"), lazily("The bidders were inside."), "inside"),
            Answer("hanging", lazily("Hanging"), lazily("Points were left hanging."), "hanging"),
        ),
        of_seat=False,
    ),
    Question(
        "role",
        lazily("Part in it"),
        (
            Answer("bidder", lazily("Bid it"), lazily("{who} bid the contract."), "bidder"),
            Answer("partner", lazily("Partner bid it"), lazily("{who} had a partner who bid the contract."), "partner"),
            Answer("defender", lazily("Defended"), lazily("{who} defended."), "defender"),
        ),
    ),
    Question("doubled", lazily("Said double"), yes(lazily("Yes"), lazily("{who} doubled."))),
    Question(
        "declaration",
        lazily("Best declaration"),
        tuple(
            Answer(kind, KINDS[kind], lazily("The best that {who} declared was {kind}.", who=WHO, kind=words), kind)
            for kind, words in A_KIND.items()
        ),
    ),
    Question(
        "belots", lazily("Belot"), (Answer("yes", lazily("Announced"), lazily("{who} announced a belot."), 1, "gte"),)
    ),
    Question("valat", lazily("Valat"), yes(lazily("Took every trick"), lazily("{who} took part in a valat."))),
    Question("kirtik", lazily("Kirtik"), yes(lazily("Paid one"), lazily("{who} paid a kirtik."))),
    points(
        lazily("{who} scored {points} or more."), (10, 16, 20, 26, 30, 50), lazily("{who} scored less than nothing.")
    ),
)

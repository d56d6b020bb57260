"""The options of a match of Belot and how they are put to players. Source: "Options" on the rules page."""

from functools import cache

from games.kit.contract import Choice, Format, OptionField, Preset

_PACKETS = {
    "3+2+3": Choice("3+2+3", "3, 2, then 3", "You bid on five cards."),
    "3+3+2": Choice("3+3+2", "3, 3, then 2", "You bid on six cards."),
    "3+3+3": Choice("3+3+3", "3, 3, then 3", "You bid on six cards. Six more stay out of the deal."),
}
_PACKETS_OF = {2: ("3+3+3",), 3: ("3+2+3", "3+3+2"), 4: ("3+2+3", "3+3+2")}

PRESETS = (
    Preset("encyclopedia", "By the book", "If you can’t follow suit, you must trump.", {}),
    Preset(
        "club",
        "Bulgarian club",
        "No need to trump your partner’s trick; belot on anyone’s lead.",
        {"trumping": "club", "belot_reply": "any"},
    ),
    Preset("croatian", "Croatian deal", "You bid on six cards and get two more to play with.", {"deal": "3+3+2"}),
)


FORMATS = (
    Format("short", "Short", "To 51", {"target": 51}, {2: 7, 3: 8, 4: 6}, {2: 44, 3: 36, 4: 28}),
    Format("full", "Full", "To 151", {"target": 151}, {2: 19, 3: 25, 4: 18}, {2: 116, 3: 127, 4: 80}),
)


@cache  # lists ask for them line by line
def option_fields(seats=None):
    """The fields, for this number of seats or for any number (None)."""
    packets = _PACKETS_OF.get(seats, tuple(_PACKETS))
    return (
        OptionField(
            "target",
            "Length",
            "The match ends once a side has this many match points; the higher total wins.",
            (
                Choice(151, "To 151", "The usual match."),
                Choice(101, "To 101", "Two thirds of the usual length."),
                Choice(51, "To 51", "A third of the usual length."),
            ),
            151,
        ),
        OptionField(
            "deal",
            "Deal",
            "How many cards are dealt at a time. The last packet comes after the bidding.",
            tuple(_PACKETS[packet] for packet in packets),
            packets[0],
        ),
        OptionField(
            "dealer_pass",
            "Dealer’s pass",
            "Whether the dealer may pass after everybody else has passed.",
            (
                Choice("free", "Dealer may pass", "The deal is not played, and the next dealer deals."),
                Choice(
                    "seven",
                    "Dealer may pass with up to 7 points",
                    "With more the dealer must bid. An ace counts 11, a ten 10, a king 4, a queen 3, a jack 2.",
                ),
                Choice("never", "Dealer must bid", "If everybody else has passed, the dealer has to bid."),
            ),
            "free",
        ),
        OptionField(
            "third_double",
            "Doubling",
            "Whether a redoubled contract may be doubled once more.",
            (
                Choice(False, "Two doubles", "A redoubled deal counts four times, and that is the most."),
                Choice(
                    True,
                    "Third double",
                    "The defenders may double a redoubled contract: the deal then counts eight times.",
                ),
            ),
            False,
        ),
        OptionField(
            "trumping",
            "Trumping",
            "What to play when you can’t follow suit and there is a trump suit.",
            (
                Choice(
                    "always",
                    "Always a trump",
                    "Any trump will do, but it is your duty even if your partner is winning.",
                ),
                Choice(
                    "club",
                    "Club rules",
                    "A trump that beats any in the trick; any card if you can’t or if your partner is winning.",
                ),
            ),
            "always",
        ),
        OptionField(
            "shared_cards",
            "Square and sequence",
            "Whether one card may be declared both in a square and in a sequence.",
            (
                Choice(False, "Cards declared once", "A card may be in one declaration only."),
                Choice(True, "Cards declared twice", "A card may be in a square and in a sequence."),
            ),
            False,
        ),
        OptionField(
            "belot_reply",
            "Belot when following suit",
            "Whether you may announce belot when you follow suit to an opponent’s lead.",
            (
                Choice(
                    "partner",
                    "Belot on the partner’s lead",
                    "You announce it when you lead, when you trump, or on your partner’s lead.",
                ),
                Choice("any", "Belot on any lead", "You announce it whenever you play the card, except as a discard."),
            ),
            "partner",
        ),
        OptionField(
            "last_trick_ten",
            "Last trick",
            "Whether the last trick counts 10 points besides its cards.",
            (
                Choice(True, "10 for the last trick", "Besides the cards in it."),
                Choice(False, "Nothing for the last trick", "Only its cards count."),
            ),
            True,
        ),
        OptionField(
            "hanging",
            "Ties",
            "What happens when the bidding side has exactly as many points as the defenders.",
            (
                Choice(True, "Ties hang", "The bidders’ match points wait for whoever wins the next deal."),
                Choice(False, "Ties are lost", "The bidding side is inside."),
            ),
            True,
        ),
        OptionField(
            "kirtik",
            "Kirtik",
            "Minus 10 for a side that bid or was doubled and did not win, or that took no trick in a valat.",
            (
                Choice(False, "No kirtik", "Nobody loses match points."),
                Choice(True, "Kirtik", "Totals may fall below zero."),
            ),
            False,
        ),
    )

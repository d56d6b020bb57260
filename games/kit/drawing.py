"""What every game's table has: seats with marks and clocks, tricks, a hand to play from, sentences."""

from abc import ABC, abstractmethod
from functools import lru_cache
from html import escape

from games.kit.cards import RANKS
from games.kit.contract import placed
from games.kit.markup import FACES, MINI, MOVES, NAMES, NOTHING, SMALL_FACES, Markup, lower_row, sorted_hand

ONE_ROW = 7  # so many cards fit in one row on a phone
NUMBER_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

DEALER = '<abbr class="mark dealer" title="Dealer">D</abbr>'
BOT = '<span class="mark bot">bot</span>'
STAND_IN = '<abbr class="mark stand-in" title="A bot plays for this player until they are back">bot plays</abbr>'
LEFT = '<abbr class="mark left" title="This player has left, a bot has the seat">left</abbr>'
AWAY = '<span class="hidden-text">, not connected</span>'
SEAT_IDS = [Markup(f"seat-{seat}") for seat in range(8)]
BACKS = [NOTHING] + [  # by cards held; at most five are drawn
    Markup(f'<p class="backs" data-count="{min(held, 5)}">{held}<span class="hidden-text"> cards</span></p>')
    for held in range(1, 53)
]


class Drawing(ABC):
    """Draws one game: turns what its rules say into dicts whose strings templates print as they are.

    players: a list by seat of {"seat", "name", "kind", "profile", "connected", "stand_in", "left", "ready",
    "clock"}.
    tables and score sheets are the dicts of the game's `view` and `score_sheet`.
    """

    slug: str
    name: str
    tells_tricks = False  # whether the score sheet says which tricks its figures are made of
    moments = ()  # of a deal, to which lines of the score sheet lead: as for `Replay.moment`

    def moments_of(self, move):
        """What a move is among the moments of its deal: a set of names."""
        return {move["type"]}

    @abstractmethod
    def felt(self, table, players):
        """What everybody sees of the table, made of `view(state, None)`."""

    @abstractmethod
    def mine(self, table, moves, players):
        """What one seat sees besides the felt: its hand, its bid box, what is expected of it.

        table: `view` for that seat, or for None: a spectator. moves: its legal moves if it is to act, else [].
        """

    @abstractmethod
    def sheet(self, score_sheet, players, viewer=None, tricks=()):
        """The score sheet: its "rows", in the order of their deals, each with "deal", the number of that from 1.

        viewer: the seat of who reads it, or None. tricks: where `tells_tricks`, the finished tricks of the match in
        order, dicts of "deal", "trick" (its number in the deal), "move" (the index of its last one) and "events" (of
        that). The sheet may then have "links", dicts with a "move" that get the address of that move as their "url".
        """

    @abstractmethod
    def sentences(self, events, players):
        """What has happened, for those who listen: a list of whole sentences."""

    @abstractmethod
    def move_words(self, move, players, seat=None):
        """A move in words, without a full stop: "Ana plays the ten of hearts"."""

    def trump_of(self, table):
        """The trump suit of the deal in progress, or None."""
        return None

    def suits_of(self, table):
        """The hand of a table as it is laid out: a list of suits, each a list of cards."""
        return sorted_hand(table["hand"], self.trump_of(table), *self.ranks_of(table))

    def ranks_of(self, table):
        """The orders of rank in the deal in progress, low to high: of plain suits and of the trump suit."""
        return RANKS, RANKS

    def news(self, events, players):
        """What of the last move's events the felt itself cannot show any more, as a sentence, or ""."""
        return ""

    def open_hands(self, tables, players):
        """Every seat's hand laid open, for a replay. tables: `view` for every seat, in order."""
        return [
            {
                "classes": f"seat-{seat}",
                "name": players[seat]["name"],
                "suits": [[SMALL_FACES[card] for card in suit] for suit in self.suits_of(table)],
            }
            for seat, table in enumerate(tables)
        ]


def mine_of(game, stage, table, moves, players, sentence):
    """The dict of one seat's own part that games add to: what is expected of it, and who waits for whom.

    game: its name. stage: where the match has got to, "Hand 2".
    """
    seat = table["seat"]
    return {
        "turn": "1" if moves else "",
        "sentence": sentence,
        "title": f"{'● Your turn' if moves else stage} – {game}",
        "hand": None,
        "bids": None,
        "result": None,
        "seated": seat is not None,
        "stand_in": seat is not None and players[seat]["stand_in"],
        "waited_for": joined(waited_for(players)) if seat is not None and players[seat]["ready"] else "",
    }


def seat_of(player, acting=False, dealer=False, held=0):
    """The dict of one seat at the table, to which a game adds its own numbers. held: cards in its hand."""
    away = not player["connected"] and player["kind"] != "bot"
    return {
        "id": SEAT_IDS[player["seat"]],
        "classes": f"seat seat-{player['seat']}{' acting' if acting else ''}{' away' if away else ''}",
        "who": _nameplate(
            player["seat"],
            player["name"],
            player["profile"],
            player["kind"] == "bot",
            player["left"],
            player["stand_in"],
            away,
            dealer,
        ),
        "backs": BACKS[held],
        "clock": clock_of(player["clock"]),
    }


@lru_cache(maxsize=4096)
def _nameplate(seat, name, profile, bot, left, stand_in, away, dealer):
    """Who sits there, with the marks of dealer, bot and absence, as markup."""
    if profile:
        who = f'<a class="name" id="seat-{seat}-name" href="{escape(profile)}">{escape(name)}</a>'
    else:
        who = f'<span class="name">{escape(name)}</span>'
    mark = BOT if bot else LEFT if left else STAND_IN if stand_in else ""
    return Markup(who + (AWAY if away else "") + mark + (DEALER if dealer else ""))


def waited_for(players):
    """The names of those whom the next deal waits for."""
    people = [player for player in players if player["kind"] != "bot" and player["connected"] and not player["left"]]
    return [player["name"] for player in people if not player["ready"]]


def clock_of(clock):
    """A seat's clock as markup, or "" where there is none: "0:18 + 1:40", what is left of the move and of the reserve.

    A script counts data-remaining down, which is both together.
    """
    if not clock:
        return NOTHING
    reserve = int(clock["reserve"])
    if not clock["running"]:
        return Markup(f'<span class="clock" data-reserve="{reserve}">{minutes(reserve)}</span>')
    remaining = max(0, clock["remaining"])
    left = int(remaining)
    return Markup(
        f'<span class="clock running" data-remaining="{remaining:.1f}" data-reserve="{reserve}">'
        f"{minutes(max(0, left - reserve))} + {minutes(min(left, reserve))}</span>"
    )


def minutes(seconds):
    """ "1:05"."""
    return f"{seconds // 60}:{seconds % 60:02}"


# Tricks


def shown_trick(table, tricks):
    """The cards that lie on the table and who has won them, if the trick is finished.

    tricks: those of the deal. A finished one stays until the next card is led, the last of a deal until the next deal.
    """
    plays = table["trick"]["plays"]
    if plays or not tricks:
        return plays, None
    return tricks[-1]["plays"], tricks[-1]["winner"]


EMPTY_SLOT = (Markup("slot"), NOTHING)
SLOT_CLASSES = {  # by whether its card was led, and whether it won the trick
    (False, False): Markup("slot filled"),
    (True, False): Markup("slot filled lead"),
    (False, True): Markup("slot filled winner"),
    (True, True): Markup("slot filled lead winner"),
}
BURNT = (Markup("slot filled burnt"), Markup("slot filled lead burnt"))


def slots(count, plays, winner=None, burnt=False):
    """The places of a trick by seat, as (classes, face): face is empty where a card is still to come.

    winner: the seat that has won it. burnt: it is finished, and nobody has.
    """
    places = [EMPTY_SLOT] * count
    for place, play in enumerate(plays):
        seat = play["seat"]
        classes = BURNT[place == 0] if burnt else SLOT_CLASSES[place == 0, seat == winner]
        places[seat] = (classes, FACES[play["card"]])
    return places


def who_took_it(trick, names):
    """ "Ana led, Boris took it." """
    leader, winner = names[trick["leader"]], names[trick["winner"]]
    return f"{leader} led and took it." if leader == winner else f"{leader} led, {winner} took it."


def past_tricks(tricks, names, words=who_took_it, turned=None):
    """The last trick with its cards, and the earlier ones as a line each, latest first: a dict, or None.

    words: says of a trick and the names what became of it; its winner may be None. turned: which cards of a trick,
    a tuple, no seat has played.
    """
    if not tricks:
        return None
    lines = []
    for number, trick in enumerate(tricks, 1):
        plays = trick["plays"]
        cards = tuple([play["card"] for play in plays])
        players = tuple([names[play["seat"]] for play in plays])
        place = None if trick["winner"] is None else (trick["winner"] - trick["leader"]) % len(plays)
        drawn = _last_trick if number == len(tricks) else _trick_line
        lines.append(drawn(number, turned(trick) if turned else (), cards, players, place, words(trick, names)))
    return {"last": lines.pop(), "earlier": lines[::-1]}


@lru_cache(maxsize=1024)
def _last_trick(_number, turned, cards, players, place, words):
    """A trick as markup: small cards in the order played, and words. place: of the winning card, or None."""
    figures = "".join(f"<figure class=turned>{SMALL_FACES[card]}</figure>" for card in turned)
    figures += "".join(
        f"<figure{' class=winner' if at == place else ''}>{SMALL_FACES[card]}"
        f"<figcaption>{escape(name)}</figcaption></figure>"
        for at, (card, name) in enumerate(zip(cards, players, strict=True))
    )
    return Markup(f'<div class="last">{figures}</div><p class="words">{escape(words)}</p>')


@lru_cache(maxsize=4096)
def _trick_line(number, turned, cards, players, place, words):
    """An earlier trick as markup: small cards for the eye, words for the ear."""
    minis = "".join(f"<span class=turned>{MINI[card]}</span>" for card in turned)
    minis += "".join(MINI[card] if at != place else f"<b>{MINI[card]}</b>" for at, card in enumerate(cards))
    words = f"Trick {number}: {', '.join(map(NAMES.get, (*turned, *cards)))}. {words}"
    return Markup(f'<span class="hidden-text">{escape(words)}</span><span aria-hidden="true">{minis}</span>')


# The hand

ILLEGAL = Markup(' aria-disabled="true"')


def hand_of(hand, trump=None, legal=None, ranks=(), plays=(), sort=sorted_hand):
    """A hand to play from: its cards sorted for looking at, each with the row it is in on a phone.

    sort: makes of a hand and the trump suit a list of suits, each a list of cards.
    legal: the cards that may be played now, or None when it is not this seat's turn to play; cards are marked only
    if some may be played and some not.
    ranks: of plain suits and of trumps, low to high, where they are not the usual ones.
    plays: (card, button, tag) of cards that are not played by a plain move: the attributes of their button as in
    MOVES, and what stands on the card besides, as markup.
    """
    return _hand_of(tuple(hand), trump, None if legal is None else frozenset(legal), ranks, tuple(plays), sort)


@lru_cache(maxsize=4096)  # the other seats' hands stay as they are from move to move
def _hand_of(hand, trump, legal, ranks, plays, sort):
    suits = sort(hand, trump, *ranks)
    special = {card: (button, tag) for card, button, tag in plays}
    upper = _upper_row(suits, trump)
    marked = bool(legal) and len(legal) < len(hand)
    cards, rows = [], set()
    for suit in suits:
        for card in suit:
            row = "upper" if card in upper else "lower"
            classes = f"card {row}"
            if row not in rows:
                classes += " row-start"
                rows.add(row)
            if cards and card is suit[0]:
                classes += " gap"
            state = ILLEGAL if marked and card not in legal else NOTHING
            move, tag = special.get(card, (MOVES[card], NOTHING))
            face = Markup(FACES[card] + tag)
            cards.append({"move": move, "classes": Markup(classes), "state": state, "face": face})
    count = len(cards)
    drawn = {
        "cards": cards,
        "count": str(count),
        "upper": str(len(upper)),
        "lower": str(count - len(upper)),
        "classes": "hand marked" if marked else "hand",
        "label": f"Hand, {plural(count, 'card')}",
    }
    return drawn | {"toolbar": _toolbar(drawn)}


def _toolbar(hand):
    """The hand as the buttons that play it, as markup."""
    buttons = "".join(
        f'<button form="play" name="move" {card["move"]} class="{card["classes"]}"{card["state"]}>{card["face"]}'
        "</button>"
        for card in hand["cards"]
    )
    return Markup(
        f'<div class="{hand["classes"]}" id="hand" role="toolbar" aria-label="{hand["label"]}"'
        f' data-count="{hand["count"]}" data-upper="{hand["upper"]}" data-lower="{hand["lower"]}">{buttons}</div>'
    )


def row_of(cards, move=None, notes=None, new=None):
    """A hand of few cards as `hand_of` draws one, but in the order given, and with a few words under each card.

    move: the type of the move that a card makes now, or None if none may be made with any. notes: words by card.
    new: the card that has just come, or None.
    """
    kind, state = (move, NOTHING) if move else ("play", ILLEGAL)
    notes = {card: Markup(f'<small class="note">{escape(words)}</small>') for card, words in (notes or {}).items()}
    drawn = {
        "cards": [
            {
                "move": Markup(f"""value='{{"type":"{kind}","card":"{card}"}}' id="card-{card}\""""),
                "classes": Markup(f"card lower{' row-start' if place == 0 else ''}{' drawn' if card == new else ''}"),
                "state": state,
                "face": Markup(FACES[card] + notes.get(card, "")),
            }
            for place, card in enumerate(cards)
        ],
        "count": str(len(cards)),
        "upper": "0",
        "lower": str(len(cards)),
        "classes": "hand",
        "label": f"Hand, {plural(len(cards), 'card')}",
    }
    return drawn | {"toolbar": _toolbar(drawn)}


def _upper_row(suits, trump):
    """The cards in the upper of two rows, where two are needed: whole suits if they fit, else the left half."""
    cards = [card for suit in suits for card in suit]
    if len(cards) <= ONE_ROW:
        return ()
    lower = lower_row(tuple([len(suit) for suit in suits]), suits[-1][0][1] == trump)
    if lower is None:
        return cards[: len(cards) // 2]
    return [card for place, suit in enumerate(suits) if place not in lower for card in suit]


# Results

CROWN = Markup('<span class="crown" role="img" aria-label="Winner"></span>')
LEADER = Markup('<span class="crown" role="img" aria-label="Leads"></span>')
DASH = Markup("–")


# Words


def number_word(number):
    """Small numbers as words: "no", "one" to "ten"."""
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)


def plural(number, word):
    """ "1 trick", "3 tricks"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def joined(words):
    """ "Ana", "Ana and Boris", "Ana, Boris and Vera"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def winners_words(totals, names):
    """ "Ana wins", "Ana and Boris win"."""
    best = max(totals)
    winners = [name for name, total in zip(names, totals, strict=True) if total == best]
    return f"{joined(winners)} {'wins' if len(winners) == 1 else 'win'}"


def end_sentence(totals, seat, names):
    """How the match came out, for a seat or a spectator (None)."""
    best = max(totals)
    place = {other: place for other, _, place in placed(totals)}.get(seat)
    if place == 1:
        others = [name for other, name in enumerate(names) if other != seat and totals[other] == best]
        return f"{joined(['You', *others])} win with {signed(best)} points."
    words = f"{winners_words(totals, names)} with {signed(best)} points."
    return words if seat is None else f"{words} You are {PLACES[place - 1]}."


def card_played(event, names):
    """The sentence of the event of that name."""
    yield f"{names[event['seat']]} plays the {NAMES[event['card']]}."


def trick_won(event, names):
    """The sentence of the event of that name, which has the plays of the trick."""
    card = next(play["card"] for play in event["plays"] if play["seat"] == event["seat"])
    yield f"{names[event['seat']]} takes the trick with the {NAMES[card]}."


def match_over(event, names):
    """The sentence of the event of that name, which has the standings."""
    winners = [line for line in event["standings"] if line["place"] == 1]
    words = joined([names[line["seat"]] for line in winners])
    yield f"{words} {'wins' if len(winners) == 1 else 'win'} the match with {signed(winners[0]['score'])} points."


def signed(number, plus=False):
    """A number with a real minus sign, and a plus if wanted; a half as "½"."""
    whole, half = divmod(abs(number), 1)
    figures = (str(int(whole)) if whole or not half else "") + ("½" if half else "")
    if number < 0:
        return f"\N{MINUS SIGN}{figures}"
    return f"+{figures}" if plus and number else figures


PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")

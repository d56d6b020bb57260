"""Players for a table, a match played at random to be drawn, and its fragments as pages have them."""

import re
from html.parser import HTMLParser

from games.catalog import CHANCE, get_game, get_rules
from games.fragments import felt_html, mine_html

NAMES = ["Ana", "Boris", "Vera", "Goran", "Iva", "Petar", "Mira"]


def cast(count, **changes):
    """Players by seat. changes: seat_1={"left": True} and so on."""
    players = []
    for seat in range(count):
        player = {"seat": seat, "name": NAMES[seat], "kind": "user", "profile": f"/players/{NAMES[seat]}/"}
        player |= {"level": None, "owner": "", "avatar": None, "connected": True, "clock": None}
        player |= {"stand_in": False, "left": False, "ready": False}
        players.append(player | changes.get(f"seat_{seat}", {}))
    return players


def a_match(rules, seats, rng, **options):
    """Every state of a match played at random."""
    state = rules.new_match(seats, options)
    yield state
    while (actor := rules.to_act(state)) is not None:
        move = rng.choice(rules.legal_moves(state))
        if actor == CHANCE:
            rng.shuffle(move["deck"])
        state = rules.apply(state, move)
        yield state


MATCH = {"code": "K7QM2ZPX", "status": "playing", "revision": "6", "rematch_code": ""}


def html_of_felt(game, felt):
    """The felt that a drawing made, as HTML. game: a slug."""
    return in_letters(felt_html(get_game(game), {"moves": "5", "news": ""} | felt, MATCH))


def html_of_mine(game, mine, seat):
    """One seat's own part, as HTML; seat: None for what spectators have."""
    viewer = "" if seat is None else str(seat)
    running = {"seen": "5", "viewer": viewer, "say": "", "countdown": None}
    return in_letters(mine_html(get_game(game), mine | running, MATCH))


class Drawn:
    """The tables of a game as its pages have them, with players of a cast unless others are given."""

    def __init__(self, slug):
        self.slug, self.rules, self.drawing = slug, get_rules(slug), get_game(slug).drawing

    def felt(self, state, players=None):
        return self.drawing.felt(self.rules.view(state, None), players or self.cast(state))

    def mine(self, state, seat, players=None):
        moves = self.rules.legal_moves(state) if self.rules.to_act(state) == seat else []
        return self.drawing.mine(self.rules.view(state, seat), moves, players or self.cast(state))

    def cast(self, state):
        return cast(len(self.rules.view(state, None)["hand_counts"]))

    def felt_page(self, state, players=None):
        return html_of_felt(self.slug, self.felt(state, players))

    def mine_page(self, state, seat, players=None):
        return html_of_mine(self.slug, self.mine(state, seat, players), seat)


def in_letters(markup):
    """HTML with characters in place of references to those beyond ASCII, so that tests can name them."""
    return re.sub(r"&#(\d+);", lambda reference: chr(int(reference[1])), markup)


def result_rows(result):
    """A result as it is read: a line of its heading, and one for each seat or side."""
    rows = [[result["head"], *(column.heading for column in result["columns"])]]
    rows += [[line["name"], *(re.sub("<.*?>", "", figure) for _, figure in line["cells"])] for line in result["lines"]]
    return rows


class Nesting(HTMLParser):
    """Raises where an element of a page is not closed in its turn, or has an attribute twice."""

    VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})

    def __init__(self, page):
        super().__init__()
        self.open = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), self.get_starttag_text()
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        """Elements of SVG close themselves."""

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, self.getpos()


def cards_on(page):
    return set(re.findall(r'data-card="([^"]+)"', page))


def read_by(seat, markup):
    """The text that a seat reads in this markup, or a spectator (None): of what is told apart, its own."""
    reader = _Reader(seat)
    reader.feed(markup)
    return re.sub(r"\s+", " ", "".join(reader.words)).strip()


class _Reader(HTMLParser):
    """Notes the text that the style sheet of the table shows a seat."""

    def __init__(self, seat):
        super().__init__()
        self.own = f"seat-{seat}"
        self.open = [(False, False)]  # of each open element: whether it is the seat's own, and hidden
        self.words = []

    def handle_starttag(self, tag, attributes):
        classes = (dict(attributes).get("class") or "").split()
        own, hidden = self.open[-1]
        own = own or self.own in classes
        self.open.append((own, hidden or ("theirs" if own else "yours") in classes))

    def handle_endtag(self, tag):
        self.open.pop()

    def handle_data(self, data):
        if not self.open[-1][1]:
            self.words.append(data)

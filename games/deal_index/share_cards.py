"""The pictures that other sites show next to a link to a match or to one of its moves. 1200 × 630 pixels."""

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import Any

from PIL import Image, ImageDraw

from accounts.site import current
from games.catalog import Meaning
from games.deal_index.picture import Draw, Style, png_of, width_of, write
from games.history.replay import Replay
from games.kit.contract import Card, Seat
from games.kit.words import capital

type Point = tuple[float, float]

WIDTH, HEIGHT, EDGE = 1200, 630, 56
FELT, DEEP, RIM, INK, SOFT, BRASS, PLATE = "#1b5a46", "#0f3b2e", "#5a3a22", "#f5efdf", "#c9d6c5", "#d9ae5b", "#0b261f"
MOST_LINES = 8  # The most players in a list.


def match_card(game: str, heading: str, lines: Sequence[tuple[str, str]]) -> bytes:
    """Draw the result of a match as a PNG: the game, a heading and a line for each player.

    Other sites show it beside a link to the match. game: its name. lines: (name, score) of each player, as texts.
    """
    image, draw = _background(game)
    write(draw, (EDGE, 160), heading, Style(500, SOFT, 34))
    size = min(48, 360 // max(len(lines), 1) - 14)  # Of the letters, in pixels. The lines share a height of 360.
    for index, (name, figure) in enumerate(lines[:MOST_LINES]):
        y = 225 + index * (size + 14)
        right = WIDTH - EDGE - width_of(figure, 700, size)
        write(draw, (EDGE, y), _shorten(name, 600, size, right - EDGE - 40), Style(600, INK, size))
        write(draw, (right, y), figure, Style(700, BRASS, size))
    return png_of(image)


def moment_card(replay: Replay, move: int, *, hands: bool = False) -> bytes:
    """Draw the table after a move of a match as a PNG. Other sites show it beside a link to the move.

    move: its index in the replay. hands: whether to draw the hands of all players too, in lines instead of a table.
    """
    image, draw = _background(replay.rules.name)
    write(draw, (EDGE, 128), capital(replay.label(move)), Style(500, SOFT, 34))
    trick = {play["seat"]: play["card"] for play in plays_on_table(replay, move)}  # The cards on the table.
    if hands:
        _draw_hands(draw, replay, move, trick)
    else:
        _draw_table(draw, replay, move, trick)
    write(draw, (EDGE, HEIGHT - 62), _shorten(replay.words(move), 600, 30, WIDTH - 2 * EDGE), Style(600, INK, 30))
    return png_of(image)


def plays_on_table(replay: Replay, move: int) -> Sequence[Mapping[str, Any]]:
    """Return the cards of the trick that lies on the table after a move, in order, as dicts with "seat" and "card".

    In a trick each player plays one card. A move that finishes a trick still shows it. move: its index in the replay.
    Read the events backwards from there, to the end of the previous trick or to the shuffle.
    """
    plays: list[Mapping[str, Any]] = []
    deal = replay.steps[move].deal
    for step in reversed(replay.steps[: move + 1]):
        for event in reversed(step.events):
            meaning = replay.rules.meaning(event)
            is_end_of_trick = meaning is Meaning.TRICK_FINISHED
            is_previous_trick = bool(plays) or step.index != move
            if is_end_of_trick and is_previous_trick:  # All plays of the present trick came after it.
                return plays[::-1]
            if is_end_of_trick:
                trick, _winner = replay.drawing.finished_trick(event)
                if trick:  # Bids has no plays in this event. They are in earlier ones.
                    return trick
            if meaning is Meaning.CARD_PLAYED:
                plays.append(event)
        is_shuffle = step.seat is None
        if step.deal != deal or is_shuffle:
            break
    return plays[::-1]


def _background(game: str) -> tuple[Image.Image, Draw]:
    image = Image.new("RGB", (WIDTH, HEIGHT), DEEP)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 8), fill=BRASS)
    write(draw, (EDGE, 52), game, Style(700, INK, 60))
    name = current.settings().name
    write(draw, (WIDTH - EDGE - width_of(name, 700, 44), 62), name, Style(700, BRASS, 44))
    return image, draw


# A moment


def _draw_table(draw: Draw, replay: Replay, move: int, trick: Mapping[Seat, Card]) -> None:
    """Draw an oval table with the names of the players around it, and the cards that lie on it after a move.

    The player in seat 0 sits in front. move: its index in the replay. trick: by seat, the card that it has played.
    """
    left, top, right, bottom = 110, 182, WIDTH - 110, 548  # Of the oval, in pixels, like all numbers here.
    draw.ellipse((left, top, right, bottom), fill=FELT, outline=RIM, width=12)
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    view = replay.rules.view(replay.steps[move].state, None)  # The table as spectators see it.
    centre = replay.drawing.centre_card(view)  # A face-up card that nobody played, or None.
    card_distance = 100 if centre else 66  # Up or down from the middle. The centre card needs space.
    for seat, player in enumerate(replay.players):
        # The players sit at equal angles on an oval, clockwise from the lower end.
        angle = pi / 2 + 2 * pi * seat / len(replay.players)
        across, down = cos(angle), sin(angle)
        if seat in trick:
            at = middle_x + 190 * across, middle_y + card_distance * down
            _draw_card(draw, replay, trick[seat], at, 1.0)
        _draw_name(draw, player["name"], middle_x + 445 * across, middle_y + 172 * down)
    if centre:
        _draw_card(draw, replay, centre, (middle_x, middle_y), 0.7)


def _draw_name(draw: Draw, name: str, x: float, y: float) -> None:
    text = _shorten(name, 600, 28, 230)
    half = width_of(text, 600, 28) / 2 + 18
    x = min(max(x, half + 16), WIDTH - half - 16)
    draw.rounded_rectangle((x - half, y - 24, x + half, y + 24), 12, fill=PLATE, outline=BRASS, width=2)
    write(draw, (x - half + 18, y - 17), text, Style(600, INK, 28))


def _draw_hands(draw: Draw, replay: Replay, move: int, trick: Mapping[Seat, Card]) -> None:
    """Draw a line for each player: the name, the hand after a move, and on the right the card on the table.

    move: its index in the replay. trick: by seat, the card that it has on the table.
    """
    state = replay.steps[move].state
    height = min(80, 350 // len(replay.players))  # Of a line, in pixels. All lines share a height of 350.
    scale = height / 100  # Of the cards, which shrink with the lines.
    for seat, player in enumerate(replay.players):
        y = 200 + height * (seat + 0.5)  # The middle of the line.
        write(draw, (EDGE, y - 15), _shorten(player["name"], 600, 26, 200), Style(600, INK, 26))
        suits = replay.drawing.suits_of(replay.rules.view(state, seat))  # The cards of the hand, by suit.
        card_count = sum(map(len, suits))
        step = min(72 * scale + 6, 720 / max(card_count, 1))  # Cards overlap if the hand would be wider than 720.
        x: float = EDGE + 250
        for suit in suits:
            for card in suit:
                _draw_card(draw, replay, card, (x, y), scale)
                x += step
        if seat in trick:
            _draw_card(draw, replay, trick[seat], (WIDTH - EDGE - 30, y), scale)


def _draw_card(draw: Draw, replay: Replay, card: Card, middle: Point, scale: float) -> None:
    x, y = middle
    printed = replay.drawing.print_of(card)
    across, down = 36 * scale, 48 * scale
    draw.rounded_rectangle((x - across, y - down, x + across, y + down), 8, printed.ground, "#0b261f", 2)
    size = int((40 if len(printed.text) < 3 else 26) * scale)
    top = y - (34 if printed.suit else 22) * scale
    write(draw, (x - width_of(printed.text, 700, size) / 2, top), printed.text, Style(700, printed.ink, size))
    if printed.suit:
        _draw_suit(draw, printed.suit, (x, y + 26 * scale), 15 * scale, printed.ink)


def _draw_suit(draw: Draw, suit: str, middle: Point, size: float, ink: str) -> None:
    """Draw the symbol of a suit from discs and polygons: D(iamonds), H(earts), S(pades) or C(lubs).

    Write any other suit as text. middle: the (x, y) of the symbol's middle. size: half its height, in pixels.
    ink: its colour. A point (across, down) is relative to the middle, for polygons in units of `size`.
    """
    x, y = middle

    def dot(across: float, down: float, radius: float) -> None:
        draw.ellipse((x + across - radius, y + down - radius, x + across + radius, y + down + radius), fill=ink)

    def shape(*points: Point) -> None:
        draw.polygon([(x + across * size, y + down * size) for across, down in points], fill=ink)

    if suit == "D":
        shape((0, -1), (0.8, 0), (0, 1), (-0.8, 0))
    elif suit == "H":
        dot(-0.45 * size, -0.35 * size, 0.5 * size)
        dot(0.45 * size, -0.35 * size, 0.5 * size)
        shape((-0.9, -0.1), (0.9, -0.1), (0, 1))
    elif suit == "S":
        shape((-0.9, 0.3), (0.9, 0.3), (0, -1))
        dot(-0.45 * size, 0.3 * size, 0.47 * size)
        dot(0.45 * size, 0.3 * size, 0.47 * size)
        shape((0, 0), (0.4, 1), (-0.4, 1))
    elif suit == "C":
        for across, down in ((0, -0.5), (-0.5, 0.25), (0.5, 0.25)):
            dot(across * size, down * size, 0.45 * size)
        shape((0, 0), (0.4, 1), (-0.4, 1))
    else:
        write(draw, (x - width_of(suit, 600, int(1.5 * size)) / 2, y - size), suit, Style(600, ink, int(1.5 * size)))


def _shorten(text: str, weight: int, size: int, room: float) -> str:
    """Cut a text that is wider than `room` pixels, and end it with an ellipsis. weight, size: of its font."""
    if width_of(text, weight, size) <= room:
        return text
    while text and width_of(f"{text}…", weight, size) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"

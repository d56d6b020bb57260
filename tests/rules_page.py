"""What the rules page of a game shows, as data."""

import html
import json
import re
from functools import reduce
from pathlib import Path

from games.catalog import get_game

ROOM = Path(__file__).parents[1] / "games"
NAMES = ["Ana", "Boris", "Vera", "Goran"]


def page_of(client, slug):
    response = client.get(f"/rules/{slug}/")
    assert response.status_code == 200
    return response.content.decode()


def section(page, name):
    """The page from the heading with this id to the next one of its rank."""
    return re.split(r'<(?:h2|section) id="', re.split(rf'<(?:h2|section) id="{name}"[^>]*>', page)[1])[0]


def example_of(slug):
    """The moves of the example and the score sheet that the page draws."""
    return json.loads((ROOM / get_game(slug).room / "example.json").read_text())


def state_after(slug, count=None):
    """The state after so many moves of the example, or after all of them."""
    rules, example = get_game(slug).newest, example_of(slug)
    return reduce(rules.apply, example["moves"][:count], rules.new_match(example["seats"], example["options"]))


def text_of(fragment):
    """What is read of a piece of HTML, in one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", fragment)).split())


def rows_of(page, name):
    """The body of the table with this id, or after the heading with it: lists of texts."""
    body = page.split(f'id="{name}"')[1].split("<tbody>")[1].split("</tbody>")[0]
    return [
        [text_of(cell) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.S)] for row in body.split("<tr>")[1:]
    ]


def cards_of(fragment):
    return re.findall(r'data-card="([^"]+)"', fragment)


def tricks_on(page):
    """(centre card or None, [(player, card)], who takes it or None) for every trick drawn."""
    tricks = []
    for drawn in re.findall(r'<ol class="shown-trick".*?</ol>', page, re.S):
        centre, plays, winner = None, [], None
        for classes, words in re.findall(r"<li([^>]*)>(.*?)</li>", drawn, re.S):
            (card,), name = cards_of(words), text_of(words).split(",")[0]
            if "prize" in classes:
                centre = card
                continue
            plays.append((name, card))
            winner = name if "won" in classes else winner
        tricks.append((centre, plays, winner))
    return tricks


def tricks_played(tricks):
    """The same of the tricks of a view."""
    return [
        (
            trick.get("centre"),
            [(NAMES[play["seat"]], play["card"]) for play in trick["plays"]],
            None if trick["winner"] is None else NAMES[trick["winner"]],
        )
        for trick in tricks
    ]


def hands_on(page):
    """(contract or "", trick, hand, cards that may be played) for every hand drawn; the last are lists."""
    hands = []
    for attributes, drawn in re.findall(r'<figure class="shown-hand[^"]*"([^>]*)>(.*?)</figure>', page, re.S):
        trick, held = drawn.split('<ul class="held')
        contract = re.search(r'data-contract="(\w+)"', attributes)
        may = [cards_of(item)[0] for item in re.findall(r'<li class="may">.*?</li>', held, re.S)]
        hands.append((contract[1] if contract else "", cards_of(trick), cards_of(held), may))
    return hands


def hands_dealt(slug, count):
    """The hands by seat, as sets, after so many moves of the example."""
    rules, state = get_game(slug).newest, state_after(slug, count)
    return [set(rules.view(state, seat)["hand"]) for seat in range(example_of(slug)["seats"])]

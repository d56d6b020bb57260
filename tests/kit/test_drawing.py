"""Every promise that the drawings of all games make: what is drawn of any position of a match with random options."""

import random
import re

import pytest
from django.template.loader import render_to_string

from games.catalog import CHANCE, get_game
from games.kit.drawing import SheetReader
from tests.kit.cast import Nesting, cards_on, cast, html_of_felt, html_of_mine
from tests.kit.playing import every_game, every_table, played_on, random_options

NAME = "<b>'\"&"
pytestmark = pytest.mark.usefixtures("whist")


def steps(rules, seats):
    """Triples of a match with random options, played at random; of a long one the first and the last."""
    rng = random.Random(f"{rules.slug}-{seats}")
    all_steps = list(played_on(rules, rules.new_match(seats, random_options(rules, seats, rng)), rng))
    return all_steps[:150] + all_steps[150:][-10:]


def felt_page(rules, state, players):
    return html_of_felt(rules.slug, get_game(rules.slug).drawing.felt(rules.view(state, None), players))


def mine_page(rules, state, seat, players):
    moves = rules.legal_moves(state) if rules.to_act(state) == seat else []
    return html_of_mine(rules.slug, get_game(rules.slug).drawing.mine(rules.view(state, seat), moves, players), seat)


def sheet_page(rules, state, players):
    sheet = get_game(rules.slug).drawing.sheet(
        rules.score_sheet(state), players, SheetReader(standings=rules.standings(state))
    )
    return render_to_string(f"{get_game(rules.slug).room}/sheet.html", {"sheet": sheet})


@pytest.mark.whole
@every_table
def test_every_position_is_drawn_for_everybody_and_shows_no_hidden_card(rules, seats):
    players, hidden_cards = cast(seats), 0
    for _, _, state in steps(rules, seats):
        hidden = rules.hidden_from(state, None)
        hidden_cards += len(hidden)
        page = felt_page(rules, state, players)

        assert not cards_on(page + sheet_page(rules, state, players)) & hidden
        assert len(re.findall('class="plaque"', page)) == seats
        for seat in (*range(seats), None):
            assert not cards_on(mine_page(rules, state, seat, players)) & rules.hidden_from(state, seat)
    assert hidden_cards


@every_game
def test_every_move_and_event_has_its_words(rules):
    seats, drawing = rules.seat_counts[-1], get_game(rules.slug).drawing
    for before, move, after in steps(rules, seats):
        actor = rules.to_act(before)
        words = drawing.move_words(move, cast(seats), None if actor == CHANCE else actor)
        sentences = drawing.sentences(rules.events(before, move, after), cast(seats))

        assert words
        assert not words.endswith(".")
        assert all(re.fullmatch(r"[A-Z0-9].*\.", sentence) for sentence in sentences)
        assert "None" not in words + " ".join(sentences)


@every_game
def test_pages_are_valid_what_takes_the_focus_has_an_id_and_nothing_is_styled_or_scripted_inline(rules):
    seats = rules.seat_counts[0]
    for _, _, state in steps(rules, seats)[::3]:
        actor = rules.to_act(state)
        page = felt_page(rules, state, cast(seats))
        page += mine_page(rules, state, actor if actor in range(seats) else 0, cast(seats))
        sheet = sheet_page(rules, state, cast(seats))

        Nesting(page + sheet)
        ids = re.findall(r' id="([^"]+)"', page + sheet)
        assert len(ids) == len(set(ids))
        for element in re.findall(r"<(?:a|button|summary)\b[^>]*>", page):
            assert " id=" in element
        assert not re.search(r" style=| on[a-z]+=|<script|<style|<button[^>]* disabled", page + sheet)


@every_game
def test_names_are_escaped(rules):
    seats = rules.seat_counts[0]
    players = cast(seats, **{f"seat_{seat}": {"name": NAME, "profile": ""} for seat in range(seats)})
    for _, _, state in steps(rules, seats)[::5]:
        page = felt_page(rules, state, players) + mine_page(rules, state, 0, players)
        assert "<b>'" not in page + sheet_page(rules, state, players)
        assert "&lt;b&gt;&#x27;&quot;&amp;" in page


@every_game
def test_open_hands_are_those_of_the_views(rules):
    seats = rules.seat_counts[-1]
    for _, _, state in steps(rules, seats)[:40:4]:
        views = [rules.view(state, seat) for seat in range(seats)]
        hands = get_game(rules.slug).drawing.open_hands(views, cast(seats))
        drawn = {hand["name"]: cards_on("".join("".join(suit) for suit in hand["suits"])) for hand in hands}
        held = {player["name"]: set(view.get("hand", ())) for player, view in zip(cast(seats), views, strict=True)}
        assert {name: cards for name, cards in held.items() if cards} == {n: c for n, c in drawn.items() if c}

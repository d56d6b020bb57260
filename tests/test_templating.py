"""Templates that are compiled: they come out as by Django."""

import json
from functools import lru_cache
from pathlib import Path

import pytest
from django.template import Context
from django.utils.safestring import mark_safe

from games import templating
from games.catalog import all_games
from games.fragments import felt_html, mine_html, result_html
from games.kit.markup import Markup
from tests.kit.cast import cast, in_letters
from tests.kit.playing import recorded_rules

GAMES = {game.slug: game for game in all_games()}
MATCH = {"code": "abc", "status": "playing", "revision": Markup(7), "rematch_code": "", "guide": False}
EVERY = 23  # of so many positions one is drawn
RUNNING = {"seen": Markup(3), "viewer": Markup(1), "say": "Ana & Boris", "shared": ["Ana <b> shares an address."]}
PAUSE = {"about": "1", "paused": True, "left": Markup("<b>9</b>"), "seated": True, "vacations": []}
AWAY = {"about": "2", "away": "Ana", "left": "0:40", "votes": 1, "needed": 2, "may_vote": True, "seat": Markup(1)}


@pytest.fixture
def both_ways(settings, tmp_path):
    """Renders a template, given its text, as it is compiled and by Django."""
    settings.TEMPLATES = [settings.TEMPLATES[0] | {"DIRS": [tmp_path]}]
    (tmp_path / "part.html").write_text("[{{ part }}{{ name }}]")

    def render(text, context):
        (tmp_path / "asked.html").write_text(text)
        return templating.compile_template("asked.html")(context), templating.join_template("asked.html").render(
            Context(context)
        )

    return render


class Seat:
    name = "Ana & Co"
    number = 3

    def shout(self):
        return "<ANA>"


TEXTS = [
    "{{ name }} {{ safe }} {{ mark }} {{ number }} {{ nothing }} {{ none }} {{ name.none }}",
    "{{ seat.name }} {{ seat.shout }} {{ seat.nobody }} {{ list.1 }} {{ list.9 }} {{ dict.items }} {{ dict.a.b }}",
    "{% if nothing %}a{% elif none %}b{% elif dict.a %}c{% else %}d{% endif %}",
    "{% if not nothing and number > 2 or none %}a{% endif %}{% if nothing > 2 %}b{% endif %}",
    '{% if name == "A<b>" %}a{% endif %}{% if 4 in list %}b{% endif %}{% if number <= 3 %}c{% endif %}',
    "{% for one in list %}{{ one }},{% empty %}none{% endfor %}{% for one in nothing %}a{% empty %}none{% endfor %}",
    "{% for a, b in pairs reversed %}{{ a }}{{ b }}{{ name }}{% endfor %}{{ a }}",
    "{% for a, b in pairs %}{{ forloop.counter }}{{ b }}{% endfor %}",
    "{% for one in list %}{{ forloop.counter0 }}{% if not forloop.last %}, {% elif one %}-{% endif %}{% endfor %}",
    "{% with name=dict.a %}{{ name.b }}{% with name=none.a %}[{{ name }}]{% endwith %}{% endwith %}{{ name }}",
    "{% with one=list.0 %}{{ one|add:2 }} {{ number|default:one }} {% now 'Y' as year %}{% endwith %}",
    '{% for one in list %}{% include "part.html" with part=one %}{% endfor %}',
    "{% load static %}{% static 'img/icons.svg' %} {% static name %}",
    "{% for one in beyond %}– {{ one }}{% endfor %}",
    "{% blocktranslate with who=beyond.0 %}“{{ who }}”{% endblocktranslate %}",
    "{{ number|floatformat:2 }} {{ float }} {{ 'lit<' }} {{ 5 }} {% url 'lobby' %} {# no #}{% load static %}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_template_comes_out_as_by_django(both_ways, text):
    context = {
        "name": "A<b>",
        "safe": mark_safe("<i>"),
        "mark": Markup("<u>"),
        "number": 3,
        "float": 1234.5,
        "none": None,
        "seat": Seat(),
        "list": [4, "5'", None],
        "pairs": [("x", 1), ("y", 2)],
        "beyond": ["Šimić & Đurić", "Иван Иванов", "A♠", Markup("<b>½</b>")],
        "dict": {"a": {"b": '"B"'}},
    }

    compiled, by_django = both_ways(text, context)

    assert in_letters(compiled) == in_letters(by_django)


@pytest.mark.parametrize(
    "text",
    [
        "{% if name|length > 2 %}a{% endif %}",
        "{% for a in name %}{% if a %}{% elif forloop.last %}b{% endif %}{% endfor %}",
    ],
)
def test_what_may_not_be_asked_is_said_when_it_is_compiled(both_ways, text):
    with pytest.raises(NotImplementedError):
        both_ways(text, {"name": "Ana"})


def test_line_breaks_are_left_out_between_tags_and_spaces_within_words(settings, tmp_path):
    (tmp_path / "base.html").write_text(
        '<p\n  class="a">\n  {% block words %}none{% endblock %}\n  {% include "part.html" with part=felt %}\n</p>\n'
    )
    (tmp_path / "part.html").write_text("<b>{{ part }}</b>\n\n")
    (tmp_path / "felt.html").write_text(
        '{% extends "base.html" %}\n\n{% block words %}\n{{ felt }} led,\n  and <i>so on</i> <b>!</b>\n{% endblock %}\n'
    )
    settings.TEMPLATES = [settings.TEMPLATES[0] | {"DIRS": [tmp_path]}]

    drawn = templating.compile_template("felt.html")({"felt": "<Ana>"})

    assert drawn == '<p class="a">&lt;Ana&gt; led, and <i>so on</i> <b>!</b><b>&lt;Ana&gt;</b></p>'


def test_few_characters_beyond_ascii_are_references_and_many_are_left(settings, tmp_path):
    settings.TEMPLATES = [settings.TEMPLATES[0] | {"DIRS": [tmp_path]}]
    (tmp_path / "felt.html").write_text("<p>{{ felt.said }}, {{ felt.drawn }} – {{ felt.name }}</p>")
    few = {"said": "It’s Žana & co", "drawn": Markup("<b>15½ × 2</b>"), "name": "Ана"}

    drawn = templating.render("felt.html", {"felt": few})

    assert drawn.isascii()
    assert in_letters(drawn) == "<p>It’s Žana &amp; co, <b>15½ × 2</b> – Ана</p>"
    assert "Редът" in templating.render("felt.html", {"felt": few | {"said": "Редът се играе отначало от всички"}})


# The tables of all games


def positions(game):
    """Of the recorded matches some positions: (rules, state) each, the last of every match among them."""
    for path in sorted((Path(__file__).parent / "data" / game.room / "matches").glob("*.json")):
        record = json.loads(path.read_text())
        rules = recorded_rules(record)
        state = rules.new_match(record["seats"], record["options"])
        for count, move in enumerate(record["moves"], 1):
            state = rules.apply(state, move)
            if count % EVERY == 0 or count == len(record["moves"]):
                yield rules, record["seats"], state


@pytest.mark.whole
@pytest.mark.parametrize("slug", GAMES)
def test_every_position_is_drawn_as_by_django(slug, monkeypatch):
    game, drawn = GAMES[slug], []
    compiled, by_django = lru_cache(templating.compile_template), lru_cache(templating.join_template)

    def both(name, context, within=None):
        html = str(compiled(name, within)(context))
        assert in_letters(html) == in_letters(by_django(name, within).render(Context(context)))
        drawn.append(html)
        return html

    monkeypatch.setattr(templating, "render", both)
    told = [both("match/waiting_for.html", {"waits": waits, "seen": Markup(2)}) for waits in (PAUSE, AWAY)]
    waits = ["", *map(Markup, told)]
    for number, (rules, seats, state) in enumerate(positions(game)):
        players = [player | {"name": f"Ana <{player['seat']}>"} for player in cast(seats)]
        felt = game.drawing.felt(rules.view(state, None), players)
        felt_html(game, felt | {"rules": "", "deals": Markup(1), "moves": Markup(2), "news": ""}, MATCH)
        for seat in (None, *range(seats)):
            moves = rules.legal_moves(state) if rules.to_act(state) == seat else []
            mine = game.drawing.mine(rules.view(state, seat), moves, players)
            mine_html(game, mine | RUNNING | {"countdown": None, "waits": waits[number % len(waits)]}, MATCH)
            if mine.get("result"):
                result_html(game, mine)

    assert len(drawn) > 100

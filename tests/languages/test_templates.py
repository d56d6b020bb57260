"""No template has words of its own outside of `translate` and `blocktranslate`."""

import re

import pytest
from django.conf import settings

from games.catalog import all_games
from tests.languages.made_up import unsaid

ROOT = settings.BASE_DIR / "templates"
TEMPLATES = sorted(ROOT.rglob("*.*"))
NAMES = ("Valat", "https://", *(game.name for game in all_games()), "Ana", "Boris", "Vera", "Goran")
SAID = re.compile(r"{% blocktranslate\b.*?{% endblocktranslate %}|{% translate .*?%}|{#.*?#}", re.DOTALL)
WORDS_OF_TAGS = re.compile(r'\b(?:label|title|words|whom|to)="([^"]*[a-z][^"]*)"')  # handed to other templates
TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
BY_SCRIPTS = re.compile(r'\b(?:data-confirm|data-on|data-off)="([^"]*)"')

# What a template fills in that is no word: classes, addresses, attributes
FOR_SCRIPTS = re.compile(r"{% block (?:body_class|skip_target|\w+_attributes) %}.*?{% endblock %}", re.DOTALL)
MARKUP_SHOWN = re.compile(r"&lt;.*?&gt;")
BY_FILTERS = re.compile(r"""\|(?:default|default_if_none|pluralize):["'][^"']*[a-z]""")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_hands_all_its_words_to_gettext(path):
    text = MARKUP_SHOWN.sub("", SAID.sub("", FOR_SCRIPTS.sub("", path.read_text())))
    handed = [words for tag in TAG.findall(text) for words in WORDS_OF_TAGS.findall(tag) + BY_FILTERS.findall(tag)]
    bare = TAG.sub("", text)

    assert handed == []
    assert unsaid(bare + " ".join(BY_SCRIPTS.findall(bare)), NAMES) == []

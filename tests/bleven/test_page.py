"""Bleven on the form for opening a table."""

import re
from html import unescape

from django.utils.html import strip_tags

from tests.bleven.shorthand import rules


def text_of(html):
    return " ".join(unescape(strip_tags(html)).split())


def chosen(page):
    """What the form for opening a table has chosen, of the options: {name: value}, both as text."""
    radios = re.findall(r'<input type="radio" name="option_(\w+)" value="(\w+)"[^>]* checked', page)
    menus = re.findall(r'<select name="option_(\w+)".*?<option value="(\w+)" selected', page, re.DOTALL)
    return dict(radios + menus)


def test_form_says_what_each_way_to_play_changes_and_begins_with_it(client, ana):
    client.force_login(ana)
    usual = client.get("/tables/new/?game=bleven").content.decode()
    letter = client.get("/tables/new/?game=bleven&preset=letter").content.decode()

    for preset in rules.presets:
        assert f"{preset.name} {preset.help}" in text_of(usual)
    defaults = {field.name: str(field.default) for field in rules.option_fields()}
    assert chosen(usual) == defaults | {"leave_cost": "usual"}
    assert chosen(letter) == defaults | {name: str(value) for name, value in rules.presets[1].options.items()}


def test_every_choice_that_needs_it_is_explained():
    explained = {
        field.name: all(choice.help for choice in field.choices)
        for field in rules.option_fields()
        if field.name != "max_bet"  # numbers of stones speak for themselves
    }

    assert explained == dict.fromkeys(explained, True)


def test_many_choices_are_a_menu(client, ana):
    client.force_login(ana)

    page = client.get("/tables/new/?game=bleven").content.decode()

    assert '<select name="option_max_bet"' in page
    assert 'type="radio" name="option_max_bet"' not in page

"""What is said of the choices of Bleven where a table is opened."""

from tests.bleven.shorthand import rules


def test_every_choice_that_needs_it_is_explained():
    explained = {
        field.name: all(choice.help for choice in field.choices)
        for field in rules.option_fields()
        if field.name != "max_bet"  # numbers of stones speak for themselves
    }

    assert explained == dict.fromkeys(explained, True)

"""The messages of the site are found wherever they stand in code and templates."""

from tools.messages import of_python, of_template


def found_in(source):
    unclear = []
    messages = [(message.context, *message.forms) for message in of_python(source, "room.py", unclear)]
    return messages, unclear


def test_both_sentences_of_who_does_it_and_all_four_of_sides_are_found():
    assert found_in('names.say_of(seat, "You pass.", "{name} passes.")') == (
        [(None, "You pass."), (None, "{name} passes.")],
        [],
    )
    assert len(found_in('sides.say_of(side, "We win", "You win", "{name} wins", "{names} win", mp=mp)')[0]) == 4


def test_what_is_said_of_several_is_found_with_that_of_you_and_others():
    assert found_in('names.say_of_all(seats, "You win.", "{names} wins.", "{names} win.", points=3)') == (
        [
            (None, "You win."),
            (None, "{names} wins."),
            (None, "{names} win."),
            ("You and others", "{names} win."),
        ],
        [],
    )


def test_sentences_that_an_entry_of_a_dict_gives_are_found():
    source = """
_DEEDS = {"pass": ("You pass", "{name} passes")}
_RAISES = {"bid": ("You raise", "{name} raises")}

def deed(kind, raised):
    yours, theirs = _RAISES[kind] if raised else _DEEDS[kind]
    return names.say_of(0, yours, theirs)
"""
    messages, unclear = found_in(source)

    assert set(messages) == {(None, text) for text in ("You pass", "{name} passes", "You raise", "{name} raises")}
    assert unclear == []


def test_forms_are_found_where_words_are_only_prepared():
    source = 'numbers(range(7), "{number} trick.", "{number} tricks.")'

    assert found_in(source)[0] == [(None, "{number} trick.", "{number} tricks.")]


def test_a_message_that_is_put_together_is_complained_of():
    messages, unclear = found_in('def words(name):\n    return say(f"{name} passes.")')

    assert messages == []
    assert unclear == ["room.py:2: f'{name} passes.' is no message, nor a name for one"]


def test_arguments_of_tags_and_filters_are_found_in_templates():
    source = (
        '{% include "a.html" with text=_("Hand") %}{{ name|default:_("Nobody") }}{% translate "Bid" context "noun" %}'
    )

    messages = [(message.context, *message.forms) for message in of_template(source, "a.html")]

    assert messages == [(None, "Hand"), (None, "Nobody"), ("noun", "Bid")]

"""Texts of people's own: what shows nothing is no text, hides nothing, and what shows something stays."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from games.chat.models import ForbiddenWord
from games.chat.wording import clean_text, without_unseen
from games.clubs import joining
from games.notes import notebook
from games.play.errors import Refused

# What testers found to be taken: letters, marks and symbols to Unicode, and nothing to a reader.
FOUND = "\u3164\u115f\u1160\uffa0\u2800\ufffc\U0001d159\u034f\ufe0f\u17b4"
nothing = st.sampled_from(FOUND) | st.characters(categories=["Z", "Cc", "Cf", "Co", "Cs"])

ALPHABETS = "abcčćdđefghijklmnoprsštuvzž абвгдежзийклмнопрстуфхцчшщъьюя àâæçéèêëîïôœùûüÿñ äöüß ,.!?’«»–()0123456789"
EMOJI = ["❤️", "☺︎", "👩‍🚀", "👨🏽‍💻", "🏳️‍🌈", "1️⃣", "👨‍👩‍👧", "🧔‍♂️", "🇭🇷", "👍🏿", "🂡"]


@given(st.text(nothing))
def test_what_shows_nothing_is_no_text(text):
    assert without_unseen(text) == ""


@given(st.text())
def test_what_is_stored_is_cleaned_already_and_holds_nothing_unseen_but_in_emoji(text):
    cleaned = without_unseen(text)

    assert without_unseen(cleaned) == cleaned
    bare = regex.sub(r"\X", lambda cluster: "" if regex.search(r"\p{Emoji}", cluster[0]) else cluster[0], cleaned)
    assert not regex.search(rf"\p{{Default_Ignorable_Code_Point}}|[{FOUND}]", bare)


@given(st.lists(st.one_of(st.sampled_from(ALPHABETS), st.sampled_from(EMOJI))))
def test_what_shows_something_stays(parts):
    text = " ".join("".join(parts).split())

    assert without_unseen(text) == text


@pytest.mark.django_db
@pytest.mark.parametrize("letter", FOUND.replace("\u2800", ""))  # which is a gap to see, as a space is
def test_nothing_unseen_splits_a_forbidden_word(letter):
    ForbiddenWord.objects.create(word="kurac")

    with pytest.raises(Refused, match="put it another way"):
        clean_text(f"ku{letter}rac")


@pytest.mark.django_db
@pytest.mark.parametrize("letter", FOUND)
def test_nothing_has_a_name_that_shows_nothing(ana, letter):
    name = letter * 5

    with pytest.raises(Refused, match="A club needs a name"):
        joining.found(ana, name)
    with pytest.raises(Refused, match="Write something first"):
        clean_text(name)
    with pytest.raises(Refused, match="Name the filters"):
        notebook.save_filter(ana, name, "game=belot")
    assert notebook.clean_tags(f"{name}, Ace{letter}s") in (["aces"], ["ace s"])

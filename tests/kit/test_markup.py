import re

from django.template import engines

from games.kit.cards import make_pack
from games.kit.markup import (
    FACES,
    SMALL_FACES,
    CardAction,
    card_button,
    index,
    name_or_you,
    personal_markup,
    with_names,
)


def test_every_card_has_its_face_with_its_name():
    assert all(f'data-card="{card}"' in FACES[card] for card in make_pack())
    assert FACES["TH"] == '<span class="face" data-card="TH" role="img" aria-label="ten of hearts"></span>'
    assert SMALL_FACES["AS"] == '<span class="face small" data-card="AS" role="img" aria-label="ace of spades"></span>'


def test_an_index_is_drawn_by_its_letter_and_spoken_as_a_word():
    assert [index(rank) for rank in "9T"] == ["9", "10"]
    assert index("K") == '<span class="index" data-rank="K" role="img" aria-label="king"></span>'


def test_faces_reach_the_page_as_they_are():
    template = engines["django"].from_string('{% load cards %}{{ drawn }}{{ "2C"|face }}{{ "2C"|small_face }}')

    page = template.render({"drawn": FACES["2C"]})

    assert page == FACES["2C"] * 2 + SMALL_FACES["2C"]


def test_what_is_no_card_is_drawn_as_a_back():
    template = engines["django"].from_string("{% load cards %}{{ card|face }}")

    assert 'class="face back"' in template.render({"card": "<script>"})


def test_name_is_not_translated_by_browsers_but_the_word_for_oneself_is():
    assert name_or_you("<Rose>") == (
        '<span class="theirs" translate="no">&lt;Rose&gt;</span><span class="yours">You</span>'
    )


def test_a_card_in_the_hand_is_a_button_of_the_form_of_moves():
    action = CardAction('{"type":"play","card":"TH"}', tag="<b>", note="leaves 4")

    button = card_button("TH", "card lower", action, closed=True)

    assert button == (
        """<button form="play" name="move" value='{"type":"play","card":"TH"}' id="card-TH" class="card lower\""""
        f' aria-disabled="true">{FACES["TH"]}<span class="tag">&lt;b&gt;</span>'
        '<small class="note">leaves 4</small></button>'
    )


def test_names_within_a_sentence_are_not_translated_and_parts_of_words_are():
    sentence = with_names(
        "Ann & Ann-Marie lead, <Al> takes the annual trick. Also: x27 isn’t Ann's.",
        ["Ann", "Ann-Marie", "<Al>", "x27", ""],
    )

    assert re.findall(r'<span translate="no">(.*?)</span>', sentence) == [
        "Ann",
        "Ann-Marie",
        "&lt;Al&gt;",
        "x27",
        "Ann",
    ]
    assert "annual" in sentence
    assert "Ann</span>&#x27;s" in sentence
    assert with_names("<b>", []) == "&lt;b&gt;"


def test_all_versions_of_a_sentence_keep_names_untranslated():
    names = ["Ana", "Boris"]

    sentence = personal_markup(lambda names: f"{names.of(0)} leads, {names.of(1)} follows", names, [0])

    assert [sentence.count(f'<span translate="no">{name}</span>') for name in names] == [1, 2]
    assert "you leads" in sentence

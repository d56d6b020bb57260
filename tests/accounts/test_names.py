"""Names: who may be called what, and who is taken for whom."""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from accounts import names

LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZéüñŁß"
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъьюяАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЬЮЯ"
GREEK = "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩάέ"
OTHERS = "0123456789-_"

one_script = st.sampled_from([LATIN, CYRILLIC, GREEK]).flatmap(lambda letters: st.text(letters + OTHERS, max_size=25))


def allowed(name):
    try:
        names.validate_name(name)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    "name",
    [
        *("Ana", "Ана", "Άννα", "José", "Łukasz", "Đặng", "Андрій", "x-_9", "Straße", "a" * 20, "Boticelli"),
        *("Player1", "Badminton", "Rooter", "Hostess", "Modesty", "Table-for-2", "my-bot", "Bot-any"),
    ],
)
def test_names_of_one_alphabet_are_allowed(name):
    assert allowed(name)


@pytest.mark.parametrize(
    "name",
    [
        *("", "Al", "a" * 21, "Аna", "Ρaul", "Анa", "ana maria", "ana@x", "<b>", "___", "007", "아나이스", "①②③"),
        *("ɑnɑ", "Ana\u0301\u0301", "a\u200bnn", "a\x00na"),
        # Names of the site, and longer ones that speak for it
        *("admin", "ADMIN", "adm1n", "Guest", "guest-42", "GUEST7", "deleted", "B0t", "бот"),
        *("admin1", "Admin_2", "the-moderator", "adm1n-7", "Valat-Staff", "ValatTeam", "админ3"),
        *("ad-min", "mod_er-ator2", "bot-1", "Bot_22", "б-от"),
    ],
)
def test_other_names_are_refused(name):
    assert not allowed(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Ana", "ana"), ("Ana", "ANA"), ("Ana", "AnA"), ("Ana", "Аna"), ("Ana", "Aña"), ("AHA", "АНА")),
        *(("paypal", "paypa1"), ("paypal", "paypaI"), ("Ivo", "1vo"), ("Otto", "0tt0"), ("Bernard", "Bemard")),
        *(("NANA", "ΝΑΝΑ"), ("vava", "νανα"), ("Straße", "STRASSE"), ("Ana", "Ａｎａ"), ("BOBA", "ВОВА")),
    ],
)
def test_names_that_look_alike_are_the_same(one, other):
    assert names.casefold(one) == names.casefold(other) or names.skeleton(one) == names.skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Ana", "Anna"), ("Ана", "Ива"), ("Boris", "Doris"), ("Ana", "Ana-")])
def test_names_that_differ_are_not(one, other):
    assert names.casefold(one) != names.casefold(other)
    assert names.skeleton(one) != names.skeleton(other)


@given(one_script)
def test_case_and_form_of_letters_never_make_another_name(name):
    assert names.casefold(name.upper()) == names.casefold(name.lower()) == names.casefold(name)
    assert names.casefold(names.normalize(name)) == names.casefold(name)


@pytest.mark.whole
@given(st.text(max_size=25))
def test_folding_twice_is_folding_once(name):
    assert names.casefold(names.casefold(name)) == names.casefold(name)
    assert names.normalize(names.normalize(name)) == names.normalize(name)


@given(one_script.map(names.normalize).filter(allowed))
def test_a_name_that_is_allowed_fits_its_columns(name):
    assert 3 <= len(name) <= 20
    assert 0 < len(names.casefold(name)) <= 80
    assert 0 < len(names.skeleton(name)) <= 160
    assert 0 < len(names.search_key(name)) <= 80


@given(st.text(LATIN, min_size=1, max_size=8), st.text(CYRILLIC, min_size=1, max_size=8), st.text(OTHERS, max_size=4))
def test_two_alphabets_never_mix(latin, cyrillic, others):
    assert not allowed(latin + others + cyrillic)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("SASA", "Saša"),
        ("dorde", "Đorđe"),
        ("strasse", "Straße"),
        ("лёлка", "Лелка"),
        ("йордан", "ЙОРДАН"),
        ("oystein", "Øystein"),
    ],
)
def test_a_search_folds_case_and_accents(typed, name):
    assert names.search_key(typed) == names.search_key(name)


@pytest.mark.parametrize(("typed", "name"), [("иордан", "Йордан"), ("anna", "Ana"), ("ana", "Ана")])
def test_a_search_keeps_letters_apart(typed, name):
    assert names.search_key(typed) != names.search_key(name)

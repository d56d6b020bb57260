"""The order of names in the languages of the site."""

import pytest
from django.db import connection
from django.utils import translation

from accounts.sorting import by_name, sort_key

NAMES = [
    "Арена Ивайло Йордан Щерка Ђоко Ёлка Ґена Ѝва Іван Ќиро Њего Яна Юлия ЯНА Ъгъл Ѐл",
    "Bridge bridge Čvor Ćiro Cvita Czar Zebra Žaba Zora Šime Sven Szabo Đuro Dzeko Džep Ljubo Lopta Lzz Njegoš Nzz",
    "Ärger Arger Arzt Öl Oz Straße Strassf Über Uz Côte Coté Cote Côté Æsir Aet Œuf Oev Ødegaard Łukasz Luz Ŧom Tzz",
    "Ana Ana2 Ana-B Ana_B ana 2Ana _Ana -Ana",
]
LATIN, OTHERS = ["Ana", "Bridge", "Ćiro", "Čvor", "Czar", "Žaba", "Zebra", "Zora"], ["Арена", "Ивайло", "Йордан"]
CROATIAN = ["Ana", "Bridge", "Czar", "Čvor", "Ćiro", "Zebra", "Zora", "Žaba"]
EXPECTED = dict.fromkeys(["en", "de", "fr"], LATIN + OTHERS) | {"hr": CROATIAN + OTHERS, "bg": OTHERS + LATIN}


@pytest.mark.parametrize(("language", "names"), EXPECTED.items())
def test_names_stand_in_the_order_of_the_readers_language(language, names):
    with translation.override(language):
        assert by_name(reversed(names), str) == names


def test_lj_nj_and_dz_are_letters_in_croatian_only():
    names = ["Luka", "Lzz", "Ljubo", "Nzz", "Njegoš", "Dunja", "Džep", "Đuro"]
    with translation.override("hr"):
        assert by_name(names, str) == ["Dunja", "Džep", "Đuro", "Luka", "Lzz", "Ljubo", "Nzz", "Njegoš"]
    with translation.override("de"):
        assert by_name(names, str) == ["Dunja", "Đuro", "Džep", "Ljubo", "Luka", "Lzz", "Njegoš", "Nzz"]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "bg", "hr", "de", "fr"])
@pytest.mark.postgresql
def test_the_order_is_that_of_unicode(language):
    names = " ".join(NAMES).split()
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT name FROM unnest(%s::text[]) name ORDER BY name COLLATE "{language}-x-icu"', [names])
        expected = [name for (name,) in cursor.fetchall()]

    with translation.override(language):
        assert sorted(names, key=sort_key) == expected

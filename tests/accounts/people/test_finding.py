"""The search for members by name."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.guests import new_guest
from accounts.models import User
from accounts.people import finding, ties
from accounts.people.export import documents
from accounts.people.finding import find
from accounts.programs import make_program

pytestmark = pytest.mark.django_db


def member(name):
    return User.objects.create(username=name)


def found(user, text):
    return [other.username for other in find(user, text)]


def test_the_beginning_of_a_name_finds_it_without_case_and_accents(ana):
    for name in ("Saša", "Sašenka", "Йордан", "Mirsasa", "sa_sa"):
        member(name)

    assert found(ana, " SASA ") == found(ana, "šaš")[:1] == ["Saša"]
    assert found(ana, "sa_") == ["sa_sa"]
    assert found(ana, "йОрд") == ["Йордан"]
    assert found(ana, "иорд") == found(ana, "%a") == found(ana, "sa\0s%") == []


def test_the_shortest_names_come_first_and_no_list_is_long(ana):
    for name in ("Mira-of-Split", "Mirabel", "Mira", *(f"Mirko{number}" for number in range(20))):
        member(name)

    assert found(ana, "mir")[0] == "Mira"
    assert len(found(ana, "mir")) == finding.MOST
    assert found(ana, "m") == found(ana, "") == []


def test_only_other_members_who_are_no_guests_bots_or_banned_are_found(ana, boris):
    guest, banned = new_guest(), member("Borbanned")
    make_program(boris, "Borobot")
    User.objects.filter(pk=banned.pk).update(is_active=False)

    assert found(ana, "bor") == ["Boris"]
    assert found(boris, "bor") == []
    assert found(ana, guest.username) == []


def test_a_block_and_a_hidden_name_look_alike(ana, boris, vera):
    ties.block(ana, boris)
    finding.set_hides_name(vera, True)

    assert found(boris, "ana") == found(ana, "boris") == found(boris, "vera") == []
    assert found(vera, "ana") == ["Ana"]

    finding.set_hides_name(vera, False)
    ties.unblock(ana, boris)
    assert found(boris, "ana") == ["Ana"]
    assert found(boris, "vera") == ["Vera"]


def test_the_archive_says_what_is_hidden(ana):
    assert list(documents(ana)) == []

    finding.set_hides_name(ana, True)

    assert list(documents(ana)) == [{"kind": "privacy", "hides_presence": False, "hides_name": True}]


@pytest.mark.postgresql
def test_a_search_reads_an_index_on_postgresql(ana):
    User.objects.bulk_create(
        User(username=f"us{n}", casefolded_name=f"us{n}", skeleton=f"us{n}", search_name=f"{n}us") for n in range(5000)
    )
    with connection.cursor() as cursor, CaptureQueriesContext(connection) as queries:
        cursor.execute("ANALYZE accounts_user")
        find(ana, "123")
        sql = next(query["sql"] for query in queries if "LIKE" in query["sql"])
        cursor.execute(f"EXPLAIN {sql}")
        plan = " ".join(row[0] for row in cursor.fetchall())

    assert "Seq Scan on accounts_user" not in plan

"""The user, and what the database itself refuses."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["ana", "ANA", "Аnа", "Aná"])
def test_the_database_refuses_a_second_name_that_looks_the_same(ana, name):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username=name)

    assert User.objects.filter(username__iexact="ana").count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"username": "Al"},
        {"username": ""},
        {"is_guest": True, "email": "guest@example.org"},
        {"is_guest": True, "is_staff": True},
        {"is_guest": True, "is_superuser": True},
    ],
)
def test_the_database_refuses_impossible_users(wrong):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(**{"username": "Somename"} | wrong)


def test_a_new_name_moves_its_folded_forms_along(ana):
    ana.username = "Ива"
    ana.save(update_fields=["username"])

    ana.refresh_from_db()
    assert (ana.username, ana.casefolded_name) == ("Ива", "ива")
    assert User.objects.get_by_natural_key("ИВА") == ana


def test_the_profile_of_a_cyrillic_name_opens(client, db):
    user = User.objects.create(username="Ива")

    assert client.get(user.get_absolute_url()).status_code == 200

"""Rooms in which a replay is watched together: who steers, who is there, and what nobody may do."""

import pytest
from django.contrib.auth.models import AnonymousUser

from games.history import together
from games.play.errors import NotAllowed, Refused

HERE = {"move": 3, "seat": 1, "beside": None, "open": False}


class User:
    is_authenticated = True

    def __init__(self, pk, username):
        self.pk, self.username = pk, username


ANA, BORIS = User(1, "Ana"), User(2, "Boris")


@pytest.fixture
def room():
    return together.open_room(ANA, "abcd2345", 100, 4, HERE)


def person(room, user):
    return together.person_of(room.code, user)


def test_nobody_else_steers(room):
    for other in (BORIS, AnonymousUser()):
        with pytest.raises(NotAllowed, match="Ana is leading"):
            together.steer(room.code, person(room, other), HERE | {"move": 4})
        with pytest.raises(NotAllowed, match="Ana is leading"):
            together.hand_over(room.code, person(room, other), person(room, BORIS).id)

    assert together.read(room.code) == room


@pytest.mark.parametrize(
    "position",
    [
        *(None, [], {}, HERE | {"move": -1}, HERE | {"move": 100}, HERE | {"move": "3"}, HERE | {"move": True}),
        *(HERE | {"seat": 4}, HERE | {"seat": None}, HERE | {"beside": 4}, HERE | {"beside": "0"}),
    ],
)
def test_a_position_that_there_is_not_is_refused(room, position):
    with pytest.raises(Refused):
        together.steer(room.code, person(room, ANA), position)

    assert together.read(room.code) == room


def test_what_else_a_position_says_is_not_kept(room):
    together.steer(room.code, person(room, ANA), HERE | {"open": "yes", "more": "x" * 4000})

    assert together.read(room.code).position == HERE


def test_who_is_there_is_there_once_however_many_pages_are_open(room):
    places = [together.enter(room.code, person(room, user)) for user in (ANA, BORIS, ANA, AnonymousUser())]

    assert [each.display_name for each in together.people(room.code)] == ["Ana", "Boris", "A visitor"]
    together.leave(room.code, places[0])
    assert [each.display_name for each in together.people(room.code)] == ["Boris", "Ana", "A visitor"]


def test_who_does_not_say_so_is_there_no_longer(room, monkeypatch):
    monkeypatch.setattr(together, "PERSON_TIMEOUT", 0.05)
    place = together.enter(room.code, person(room, ANA))
    monkeypatch.setattr(together, "PERSON_TIMEOUT", 50)
    together.stay(room.code, place, person(room, ANA))
    assert len(together.people(room.code)) == 1
    monkeypatch.setattr(together, "PERSON_TIMEOUT", -1)
    together.stay(room.code, place, person(room, ANA))

    assert together.people(room.code) == []


def test_what_others_are_told_of_somebody_is_not_their_key(room):
    assert person(room, ANA).id != person(room._replace(code="another"), ANA).id
    assert len(person(room, ANA).id) == 12

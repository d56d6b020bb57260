"""People with passwords, and how they get in."""

import pytest

from accounts.models import User

PASSWORD = "nine of hearts, please"


@pytest.fixture
def member(db):
    """Maria, who has a password."""
    return User.objects.create_user("Maria", password=PASSWORD)


@pytest.fixture
def marias(client, member):
    """A browser in which Maria has logged in, and confirmed that it is her."""
    log_in(client, "Maria")
    confirm(client)
    return client


@pytest.fixture
def host(db):
    """The host of the site, an administrator."""
    return User.objects.create_superuser("Host", password=PASSWORD)


@pytest.fixture
def guest_client(client, db):
    """A browser that plays as a guest."""
    client.post("/accounts/guest/")
    return client


def log_in(client, name, password=PASSWORD):
    return client.post("/accounts/login/", {"login": name, "password": password})


def confirm(client, password=PASSWORD):
    """Somebody confirms that it is them, before an act that a session alone is not enough for."""
    return client.post("/accounts/reauthenticate/", {"password": password})


def sign_up(client, name, password=PASSWORD, **more):
    return client.post("/accounts/signup/", {"username": name, "password1": password, **more})


def who(client):
    """The user that a browser is logged in as, or None."""
    number = client.session.get("_auth_user_id")
    return User.objects.get(pk=number) if number else None

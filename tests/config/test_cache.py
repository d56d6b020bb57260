"""The cache without its server: closed, or open and silent as a frozen one is."""

import socket
import time

import pytest
from django.core.cache import cache

from config import cache as patient
from tests.accounts.conftest import PASSWORD, who


@pytest.fixture(params=["gone", "frozen"])
def no_redis(request, settings, monkeypatch):
    """A cache whose server does not answer."""
    monkeypatch.setattr(patient, "_retry_at", 0.0)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if request.param == "frozen":
            listener.listen()
        settings.CACHES = {
            "default": {
                "BACKEND": "config.cache.PatientRedisCache",
                "LOCATION": f"redis://127.0.0.1:{listener.getsockname()[1]}/0",
                "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
            }
        }
        yield


@pytest.mark.whole
def test_without_its_server_a_cache_is_empty_and_takes_everything(no_redis):
    assert cache.add("name", 1)
    assert cache.get("name", "nothing") == "nothing"
    cache.set("name", 1)
    cache.set_many({"name": 1})
    cache.delete_many(["name"])
    answers = [cache.touch("name"), cache.delete("name"), cache.has_key("name"), cache.clear()]
    assert answers == [False] * 4
    assert cache.get_many(["name"]) == {}
    assert cache.incr("name", 2) == 2


@pytest.mark.whole
@pytest.mark.django_db
def test_without_its_server_pages_answer_soon_and_the_log_says_so_once(no_redis, client, caplog, django_user_model):
    django_user_model.objects.create_user("Maria", password=PASSWORD)

    begun = time.monotonic()
    played = client.post("/play/oh-hell/")
    client.post("/accounts/login/", {"login": "Maria", "password": PASSWORD})
    signed_up = type(client)().post("/accounts/signup/", {"username": "Velislava", "password1": PASSWORD})

    assert time.monotonic() - begun < 5
    assert played.url.startswith("/matches/")
    assert who(client).username == "Maria"
    assert signed_up.status_code == 302
    assert [record.name for record in caplog.records if record.levelname == "ERROR"] == ["valat.cache"]


@pytest.mark.whole
def test_a_server_that_is_back_is_asked_again(no_redis, monkeypatch):
    cache.get("name")
    retry_at = patient._retry_at

    assert 0 < retry_at - time.monotonic() <= patient.PAUSE
    monkeypatch.setattr(patient, "_retry_at", time.monotonic())
    cache.get("name")
    assert patient._retry_at > retry_at

"""In which language somebody reads the site: what their browser asks for, what they choose, what their account says."""

import re

import pytest

from accounts.models import User
from tests.accounts.conftest import PASSWORD, log_in, sign_up

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

SETTINGS = "/accounts/settings/"


@pytest.fixture
def client(client, made_up_language):
    """A browser, where the site has two languages."""
    return client


def language_of(page):
    """The language that a page says it is in."""
    return re.search(r'<html lang="(\w+)"', page.text)[1]


def asking_for(code):
    return {"accept-language": f"{code};q=0.9,fr;q=0.5"}


def choose(client, code, **fields):
    return client.post("/language/", {"language": code, **fields})


def cookie_set_by(answer):
    return answer.cookies["language"].value if "language" in answer.cookies else None


def test_a_browser_is_shown_the_language_that_it_asks_for(client):
    page = client.get(SETTINGS, headers=asking_for("eo"))

    assert (language_of(page), page["Content-Language"]) == ("eo", "eo")
    assert {"Accept-Language", "Cookie"} <= set(page["Vary"].split(", "))
    assert language_of(client.get(SETTINGS, headers=asking_for("de"))) == "en"
    assert language_of(client.get(SETTINGS)) == "en"


def test_a_choice_is_kept_by_the_browser_whatever_it_asks_for(client):
    answer = choose(client, "eo", next=SETTINGS)

    assert (answer.status_code, answer["Location"]) == (302, SETTINGS)
    assert language_of(client.get(SETTINGS, headers=asking_for("en"))) == "eo"
    choose(client, "en")
    assert language_of(client.get(SETTINGS, headers=asking_for("eo"))) == "en"


def test_a_guest_and_a_member_are_written_to_in_what_they_choose(client):
    client.post("/accounts/guest/", headers=asking_for("eo"))
    guest = User.objects.get()
    assert guest.language == "eo"
    choose(client, "en")
    guest.refresh_from_db()
    assert guest.language == "en"

    sign_up(client, "Velislava")
    choose(client, "eo")

    guest.refresh_from_db()
    assert (guest.username, guest.language, guest.language_read) == ("Velislava", "eo", "eo")


def test_a_new_account_has_the_language_of_the_page_that_it_was_made_on(client):
    client.post("/accounts/signup/", {"username": "Velislava", "password1": PASSWORD}, headers=asking_for("eo"))

    assert User.objects.get().language == "eo"


def test_a_login_elsewhere_brings_the_language_of_the_account_along(client):
    User.objects.create_user("Maria", password=PASSWORD, language="eo")

    answer = log_in(client, "Maria")

    assert cookie_set_by(answer) == "eo"
    assert language_of(client.get(SETTINGS, headers=asking_for("en"))) == "eo"


def test_a_login_leaves_a_browser_alone_that_shows_the_language_already(client):
    User.objects.create_user("Maria", password=PASSWORD, language="en")

    assert cookie_set_by(log_in(client, "Maria")) is None


def test_an_account_from_before_there_were_languages_takes_that_of_its_next_login(client):
    User.objects.create_user("Maria", password=PASSWORD, language="")

    answer = client.post("/accounts/login/", {"login": "Maria", "password": PASSWORD}, headers=asking_for("eo"))

    assert cookie_set_by(answer) is None
    assert User.objects.get().language == "eo"


def test_a_language_that_the_site_no_longer_has_is_read_as_english(client):
    maria = User.objects.create_user("Maria", password=PASSWORD, language="fr")

    assert cookie_set_by(log_in(client, "Maria")) is None
    assert maria.language_read == "en"
    assert language_of(client.get(SETTINGS, headers=asking_for("eo"))) == "eo"


@pytest.mark.parametrize("code", ["fr", "xx", "../eo", "", "e" * 5000])
def test_a_code_that_the_site_does_not_have_changes_nothing(client, ana, code):
    client.force_login(ana)

    answer = choose(client, code, next=SETTINGS)

    assert (answer.status_code, cookie_set_by(answer)) == (302, None)
    ana.refresh_from_db()
    assert ana.language == "en"
    client.cookies["language"] = code[:100]
    assert language_of(client.get(SETTINGS)) == "en"


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\\\evil.example", ""]
)
def test_a_choice_leads_to_no_other_site(client, elsewhere):
    answer = choose(client, "eo", next=elsewhere)

    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_a_choice_is_made_by_a_form_only(client):
    assert client.get("/language/").status_code == 405


def test_the_settings_offer_each_language_under_its_own_name(client, ana):
    for page in (client.get(SETTINGS), (client.force_login(ana), client.get(SETTINGS))[1]):
        offered = re.search(r'<select class="input" id="language".*?</select>', page.text, re.DOTALL)[0]
        assert re.findall(r'<option value="(\w+)" lang="\w+"( selected)?>(\w+)<', offered) == [
            ("en", " selected", "English"),
            ("eo", "", "Esperanto"),
        ]


def test_a_site_with_one_language_offers_none(settings, client):
    settings.LANGUAGES = [("en", "English")]

    assert 'name="language"' not in client.get(SETTINGS).text

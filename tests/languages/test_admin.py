"""What the host's pages say that is ours can be translated; the rest of the admin is translated by Django."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import sanctions
from accounts.models import Exclusion, User
from games.chat import reporting, saying
from games.chat.models import ForbiddenWord, Report, Silence
from games.clubs import joining
from games.kit.words import capital
from games.models import OddPlay
from tests.languages.made_up import unsaid
from tools.messages import catalog_of_all

PLACE = re.compile(r"\{\w*\}|%\(\w+\)[sd]")
TELLING = re.compile(r"[a-z]{3}")  # what is more than "{name} of {owner}"

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

# Names, and what stands in a report as it was when somebody decided on it
STORED = ["Valat", "Ana", "Boris", "Vera", "Goran", "Hello!", "Taken back"]
MODELS = [
    "accounts_user",
    "accounts_sanction",
    "accounts_exclusion",
    "chat_report",
    "chat_silence",
    "chat_forbiddenword",
    "clubs_club",
    "games_match",
    "games_oddplay",
]


@pytest.fixture
def admin(client, made_up_language, started, users):
    """The host's browser, where there is something of everything."""
    ana, boris, *_ = users
    host = User.objects.create_superuser("Keeper")
    line = saying.say(ana.pk, started.code, phrase="hello")
    reporting.report_line(boris, line, "rude")
    reporting.hide(Report.objects.get(), host)
    sanctions.impose(ana, "warning", "…", by=host)
    Exclusion.objects.create(account="…", until=timezone.now())
    joining.found(ana, "The Aces")
    Silence.objects.create(user=ana, reason="…", by=host)
    ForbiddenWord.objects.create(word="…")
    OddPlay.objects.create(match=line.match, user=ana, index=1)
    client.force_login(host)
    client.cookies["language"] = made_up_language
    return client


@pytest.fixture(scope="module")
def english():
    """A pattern of every sentence of ours in English: of those that the admin has, whatever fills their places."""
    forms = set()
    for message in catalog_of_all():
        of_admin = any("admin" in path or "models" in path for path, _ in message.locations)
        for form in filter(None, message.id if message.pluralizable else [message.id]):
            parts = PLACE.split(form) if of_admin and TELLING.search(PLACE.sub(" ", form)) else [form]
            pattern = ".+".join(map(re.escape, parts))
            forms |= {pattern, capital(pattern)}
    return re.compile("|".join(forms))


def test_a_sentence_is_known_with_its_places_filled(english):
    """Else nothing below would be found that the pages say in English."""
    assert english.fullmatch("Warning of Ana")
    assert not english.fullmatch("Ana")


@pytest.mark.parametrize("model", MODELS)
def test_what_the_pages_of_a_model_say(admin, english, model):
    pages = [admin.get(reverse(f"admin:{model}_changelist"))]
    for row in pages[0].context["cl"].result_list:
        page = admin.get(reverse(f"admin:{model}_change", args=[row.pk]))
        pages.append(page)
    if (page := admin.get(reverse(f"admin:{model}_add"))).status_code == 200:
        pages.append(page)

    for page in pages:
        assert page.status_code == 200
        bare = unsaid(page.text, STORED)
        if model != "games_match" or page is pages[0]:  # of one match all that is stored is shown, as it is named there
            assert [text for text in bare if english.fullmatch(text)] == []
    assert "⟦" in pages[0].text


def test_an_odd_play_is_called_in_the_language_of_the_page(admin):
    odd = OddPlay.objects.get()

    page = admin.get(reverse("admin:games_oddplay_change", args=[odd.pk]))

    assert "⟦" in str(page.context["subtitle"])


def test_what_is_asked_before_somebody_is_warned_or_banned(admin, english, ana):
    fields = {"action": "sanction", "_selected_action": [ana.pk]}

    asked = admin.post(reverse("admin:accounts_user_changelist"), fields)
    link = admin.post(reverse("admin:accounts_user_reset_link", args=[ana.pk]))
    done = admin.post(
        reverse("admin:accounts_user_changelist"),
        fields | {"confirmed": "1", "kind": "ban", "reason": "…", "days": "7"},
        follow=True,
    )

    assert "<strong>Ana</strong>" in asked.text
    for page in (asked, link, done):
        assert page.status_code == 200
        assert [text for text in unsaid(page.text, STORED) if english.fullmatch(text)] == []

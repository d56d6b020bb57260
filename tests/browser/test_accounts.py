"""Accounts: passwords, passkeys, and who gets an account back."""

import copy
import re
from email import message_from_bytes, policy

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations_in_both_themes
from tests.browser.fixtures import PHONE, served
from tests.browser.site import PASSWORD

pytestmark = pytest.mark.browser

NEW_PASSWORD = "a stork on the felt"
RULE = b"\n" + b"-" * 79  # between the mails in a file
PASSKEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
FORGET_PASSWORD = """
from accounts.models import User

user = User.objects.get(username="Kestrel")
user.set_unusable_password()
user.save()
"""


@pytest.fixture(scope="module")
def mails(tmp_path_factory):
    return tmp_path_factory.mktemp("mails")


@pytest.fixture(scope="module")
def site(tmp_path_factory, mails):
    """The site, on a host that sends mail."""
    with served(
        tmp_path_factory.mktemp("site"), EMAIL_URL=f"filemail:///{mails}", ALLOWED_HOSTS="127.0.0.1,localhost"
    ) as site:
        yield site
        assert "Traceback" not in site.log(), site.log()


def link_to(mails, address, part):
    """The address of a page in the latest mail to somebody that has one: "confirm-email", say."""
    files = sorted(mails.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    parts = [part for file in files for part in file.read_bytes().split(RULE) if part.strip()]
    letters = [message_from_bytes(each.lstrip(), policy=policy.default) for each in parts]
    texts = [letter.get_body().get_content() for letter in letters if letter["To"] == address]
    return [link for text in texts for link in re.findall(rf"http://\S+/{part}/\S+", text)][-1]


def tab_to(page, button):
    """Move to a button by the keyboard alone."""
    for _ in range(60):
        if button.evaluate("button => button === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("No way by the Tab key.")


def is_good(player):
    """The page can be used by everybody, in either theme, and on a phone."""
    assert violations_in_both_themes(player.page) == []
    assert player.fits()


@pytest.mark.thorough
def test_a_password_is_shown_while_it_is_typed_and_sent_hidden(at_browser):
    player = at_browser()
    player.open("/accounts/signup/")
    page = player.page
    field = page.get_by_label("Password", exact=True)
    page.get_by_label("Name", exact=True).fill("Velislava")
    field.fill(PASSWORD)

    page.get_by_role("button", name="Show password").click()
    expect(field).to_have_attribute("type", "text")
    player.is_accessible()
    player.wait_for_next_tap()
    page.get_by_role("button", name="Hide password").click()
    expect(field).to_have_attribute("type", "password")
    player.wait_for_next_tap()
    page.get_by_role("button", name="Show password").click()
    page.locator("main form").get_by_role("button", name="Sign up").click()

    expect(page.get_by_text("Welcome, Velislava.")).to_be_visible()
    assert not player.problems


def test_an_owner_takes_a_change_of_address_back(at_browser, mails):
    owner, thief = at_browser(), at_browser(PHONE)
    with_address(owner, "Heron", "heron@example.org", mails)

    thief.open("/accounts/login/")
    thief.page.get_by_label("Name", exact=True).fill("Heron")
    thief.page.get_by_label("Password", exact=True).fill(PASSWORD)
    thief.page.locator("main form").get_by_role("button", name="Log in", exact=True).tap()
    expect(thief.page.get_by_text("Welcome, Heron.")).to_be_visible()
    thief.open("/accounts/email/")
    is_good(thief)
    thief.confirm()
    thief.page.get_by_label("New address").fill("thief@example.org")
    is_good(thief)
    thief.page.get_by_role("button", name="Change address").tap()
    expect(thief.page.get_by_text("You are changing to")).to_be_visible()
    confirm_address(thief.page, mails, "thief@example.org")

    link = link_to(mails, "heron@example.org", "restore")
    thief.page.goto(link)  # a GET changes nothing
    is_good(thief)
    page = owner.page
    page.goto(link)
    is_good(owner)
    button = page.get_by_role("button", name="Set it back")
    tab_to(page, button)
    page.keyboard.press("Enter")
    page.get_by_label("New password", exact=True).fill(NEW_PASSWORD)
    page.get_by_label("Repeat new password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Set password").click()

    page.locator("main").get_by_role("link", name="Log in").click()
    page.get_by_label("Name", exact=True).fill("Heron")
    page.get_by_label("Password", exact=True).fill(NEW_PASSWORD)
    page.locator("main form").get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_text("Welcome, Heron.")).to_be_visible()
    owner.open("/accounts/settings/")
    expect(page.get_by_text("heron@example.org")).to_be_visible()
    thief.open("/accounts/email/")
    expect(thief.page.get_by_role("heading", name="Log in")).to_be_visible()
    thief.page.goto(link)
    expect(thief.page.get_by_role("heading", name="This link no longer works")).to_be_visible()
    is_good(thief)
    assert owner.problems == []


def test_a_passkey_is_enough_where_there_is_no_password(at_browser, site):
    player = at_browser()
    player.site = copy.copy(site)
    player.site.url = site.url.replace("127.0.0.1", "localhost")  # passkeys belong to names
    devices = player.context.new_cdp_session(player.page)
    devices.send("WebAuthn.enable")
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": PASSKEY})
    player.sign_up("Kestrel")
    page = player.page
    player.open("/accounts/2fa/webauthn/add/")
    player.confirm()
    page.get_by_role("button", name="Add passkey").click()
    expect(page.get_by_text("Passkey added.")).to_be_visible()
    site.shell(FORGET_PASSWORD)
    player.open("/accounts/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_text("Welcome, Kestrel.")).to_be_visible()

    player.open("/accounts/email/")
    is_good(player)
    page.get_by_role("button", name="Use a passkey").click()

    expect(page.get_by_role("button", name="Add address")).to_be_visible()
    player.open("/accounts/delete/")
    page.get_by_label("Type your name").fill("Kestrel")
    page.get_by_role("button", name="Delete permanently").click()
    expect(page.get_by_text("Your account has been deleted.")).to_be_visible()
    assert player.problems == []


def with_address(player, name, address, mails):
    """Sign up with an address, and confirm it."""
    page = player.page
    player.open("/accounts/signup/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Email (optional)").fill(address)
    page.locator("main form").get_by_role("button", name="Sign up").click()
    expect(page.get_by_text(f"Welcome, {name}.")).to_be_visible()
    confirm_address(page, mails, address)


def confirm_address(page, mails, address):
    page.goto(link_to(mails, address, "confirm-email"))
    page.get_by_role("button", name="Yes, confirm").click()
    page.wait_for_url(lambda url: "confirm-email" not in url)


def test_a_guest_logs_in_and_plays_on_with_the_account(at_browser):
    elsewhere, phone = at_browser(), at_browser(PHONE)
    elsewhere.sign_up("Nightjar")
    code = phone.open_table(seats=3, bots=2)
    phone.wait_for_turn()
    phone.play()
    phone.open("/")
    phone.page.get_by_role("link", name="Log in", exact=True).tap()
    phone.page.get_by_label("Name", exact=True).fill("Nightjar")
    phone.page.get_by_label("Password", exact=True).fill(PASSWORD)
    phone.page.get_by_role("button", name="Log in", exact=True).tap()
    question = phone.page.locator(".guest-question")
    expect(question).to_contain_text("played 1 match in this browser. Was that you?")
    phone.is_accessible()
    assert phone.fits()

    question.get_by_role("button", name="Yes, move them to my account").tap()
    expect(question).to_have_count(0)
    phone.open(f"/matches/{code}/")
    phone.wait_for_turn()
    moves = phone.moves
    phone.play()

    phone.wait_for_moves_after(moves)
    assert elsewhere.problems == phone.problems == []

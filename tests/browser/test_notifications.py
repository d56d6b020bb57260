"""What people at browsers are told: the number of tables that wait, and messages while they look elsewhere."""

import json
import re

import pytest
from playwright.sync_api import expect

from games.notifications import push
from tests.browser.fixtures import PHONE, served
from tests.browser.site import at_one_table
from tests.notifications.servers import Browser, Server
from tests.processes import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
NOTICES = True

# Chromium gets its real subscriptions from a server that tests don't have.
SUBSCRIBE = """(said) => {
    const found = {
        endpoint: said.endpoint,
        toJSON: () => ({ endpoint: said.endpoint, keys: { p256dh: said.public_key, auth: said.secret } }),
        unsubscribe: async () => { localStorage.removeItem("subscribed"); return true; },
    };
    PushManager.prototype.subscribe = async () => { localStorage.setItem("subscribed", 1); return found; };
    PushManager.prototype.getSubscription = async () => localStorage.getItem("subscribed") ? found : null;
}"""
SHOWN = """async () => {
    const registration = await navigator.serviceWorker.getRegistration("/");
    return (await registration.getNotifications()).map(({ title, body, data }) => ({ title, body, data }));
}"""


@pytest.fixture(scope="module")
def push_server():
    server = Server()
    yield server
    server.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site with push messages, which may lead to servers of this machine."""
    settings = {"VAPID_PRIVATE_KEY": push.new_private_key(), "NOTICES_INSIDE": "127.0.0.1"}
    with served(tmp_path_factory.mktemp("site"), **settings) as site:
        yield site
        assert "Traceback" not in site.log(), site.log()


def test_every_page_says_how_many_tables_wait(at_browser):
    people = [at_browser(), at_browser(PHONE)]
    for player, name in zip(people, ("Ana", "Boris"), strict=True):
        player.sign_in(name)
    at_one_table(*people, bots=1, speed="3-days")
    for player in people:
        player.wait_for_scripts()
    wait_until(lambda: any(player.state()["turn"] for player in people), 20, "somebody is to move")
    awaited = next(player for player in people if player.state()["turn"])
    other = next(player for player in people if player is not awaited)

    elsewhere = awaited.second_tab()
    elsewhere.goto(f"{awaited.site.url}/rules/")
    expect(elsewhere).to_have_title(re.compile(r"^\(1\) "))
    expect(elsewhere.locator("#bell-count")).to_have_text("1")
    assert elsewhere.locator('link[rel="icon"]').get_attribute("href").startswith("data:image/svg")
    expect(awaited.page).to_have_title(re.compile(r"^\(1\) ● Your turn"), timeout=10_000)

    awaited.page.bring_to_front()  # browsers let hidden pages draw when they like
    other.open("/")
    expect(other.page).to_have_title(re.compile(r"^Valat"))
    while not other.page.title().startswith("(1) "):  # each may have to move more than once
        awaited.play()
        awaited.wait_until_drawn()
    expect(other.page.locator("#bell-count")).to_have_text("1")
    expect(elsewhere).to_have_title(re.compile(r"^[^(]"), timeout=10_000)  # told by the other tab
    assert not other.problems
    assert not awaited.problems


def test_a_browser_takes_push_messages_by_clicks_and_shows_them(at_browser, push_server):
    ana = at_browser(PHONE, permissions=["notifications"])
    browser = Browser(f"{push_server.url}/ana")
    ana.context.add_init_script(f"({SUBSCRIBE})({json.dumps(browser.fields)})")
    ana.sign_in("Vera")
    ana.open("/notices/")
    page = ana.page
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then(found => found.length)") == 0  # not unasked
    page.locator("#hidden-switch").click()
    expect(page.locator("#hidden-state")).to_have_text("On")
    page.locator("#push-switch").click()
    expect(page.get_by_text("This browser will show messages from now on")).to_be_visible()
    expect(page.locator("#push-state")).to_have_text("On")
    expect(page.get_by_text("This one")).to_be_visible()
    ana.is_accessible()

    page.get_by_role("button", name="Send a test by").click()
    wait_until(lambda: push_server.posts, 20, "a message was sent")
    message = browser.read(push_server.posts[0][2])
    assert message["title"] == "This is a test: messages like this one arrive."

    page.goto("about:blank")  # who looks at the site is shown nothing
    deliver(ana, message)
    ana.open("/notices/")
    wait_until(lambda: page.evaluate(SHOWN), 10, "the message is shown")
    assert page.evaluate(SHOWN) == [{"title": message["title"], "body": "", "data": {"url": "/notices/"}}]

    page.locator("#push-switch").click()
    expect(page.get_by_text("It’s removed.")).to_be_visible()
    expect(page.locator("#push-state")).to_have_text("Off")
    assert not ana.problems


def deliver(player, message):
    """Let the browser get a push message."""
    devtools = player.context.new_cdp_session(player.page)
    registrations = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    wait_until(lambda: player.page.evaluate("1") and registrations, 20, "the service worker is registered")
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": player.site.url,
            "registrationId": registrations[0]["registrationId"],
            "data": json.dumps(message),
        },
    )

"""From page to page, as links lead: each kind of page once."""

from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, resolve

NO_PAGES = {  # what links lead to, but downloads, pictures and steps
    *("download", "calendar", "records", "facts", "sheets", "sheet_csv", "sheet_picture", "card", "account_logout"),
    "mfa_download_recovery_codes",
}
ONE_OF_A_KIND = {"profile", "open_table"}  # as good as all others, but for the game that they are of


def kind_of(address):
    """What a page is, so that it is visited once: the name of its address, and the game and match that it is of."""
    parts = urlsplit(address)
    try:
        found = resolve(parts.path)
    except Resolver404:
        return parts.path, "", ""
    code = "" if found.view_name in ONE_OF_A_KIND else found.kwargs.get("code", "")
    return found.view_name, found.kwargs.get("game", ""), code


def walk(open_page, links, entrances, base=""):
    """Open every page that links lead to from the entrances on, which are addresses. Yields the name of each.

    links: gives the addresses that the page has. base: which all begin with.
    """
    known = set()
    waiting = list(entrances)
    while waiting:
        address = waiting.pop(0)
        kind = kind_of(address)
        if kind in known or kind[0] in NO_PAGES or not address.startswith(base) or "/static/" in address:
            continue
        known.add(kind)
        open_page(address)
        yield kind[0]
        waiting += [urljoin(address, link) for link in links()]

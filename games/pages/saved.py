"""The saved filters of a reader, with how much each of them finds."""

from django.core.cache import cache
from django.http import QueryDict

from games.catalog import deal_word
from games.facts.search import counts
from games.notes import keeping
from games.pages.filters import NOTED, FilterForm

KEPT = 10 * 60  # seconds for which a number is shown again, unless another match has ended
MANY = 2_000  # matches of somebody to whom another one makes little difference, and counting takes its time


def saved_filters(user, played):
    """[{"pk", "name", "query", "found", "unit"}] of a user's saved filters, by name.

    found: how many matches, or deals where the filter asks for deals, which "unit" says; None where the filter asks for
    something that there is no more. played: how many matches the user has finished. One query more for all that has to
    be counted anew.
    """
    saved = keeping.filters_of(user)
    state = min(played, MANY)
    keys = {kept.pk: f"saved-{kept.pk}-{kept.saved_at.timestamp()}-{state}" for kept in saved}
    known = cache.get_many(keys.values())
    lines, anew = [], []
    for kept in saved:
        line = {"pk": kept.pk, "name": kept.name, "query": kept.query, "found": None, "unit": ""}
        lines.append(line)
        form = FilterForm(QueryDict(kept.query))
        if form.is_valid():
            line["unit"] = deal_word(form.cleaned_data["game"]) if form.asked["answers"] else "match"
            line["found"] = known.get(keys[kept.pk])
            if line["found"] is None or any(form.cleaned_data[name] for name in NOTED):
                anew.append((line, form.asked))
    for (line, _), number in zip(anew, counts(user, [asked for _, asked in anew]), strict=True):
        line["found"] = number
    cache.set_many({keys[line["pk"]]: line["found"] for line, _ in anew}, KEPT)
    return lines

"""The saved filters of a reader, with how much each of them finds."""

from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import QueryDict

from games.catalog import deal_words
from games.deal_index.search import counts
from games.kit.facts import of_unit
from games.notes import keeping
from games.pages.filters import FilterForm


def saved_filters(user):
    """[{"pk", "name", "query", "found", "found_words"}] of a user's saved filters, by name.

    found: how many matches, or deals where the filter asks for deals, as "found_words" says; None where the filter asks
    for something that there is no more. One query more for all that is counted.
    """
    lines, asked = [], []
    for kept in keeping.filters_of(user):
        line = {"pk": kept.pk, "name": kept.name, "query": kept.query, "found": None, "unit": ""}
        lines.append(line)
        form = FilterForm(QueryDict(kept.query))
        if form.is_valid():
            line["unit"] = deal_words(form.cleaned_data["game"]).unit if form.asked["answers"] else "match"
            asked.append((line, form.asked))
    for (line, _), number in zip(asked, counts(user, [search for _, search in asked]), strict=True):
        line["found"] = number
        line["found_words"] = of_unit(number, line["unit"], str(intcomma(number)))
    return lines

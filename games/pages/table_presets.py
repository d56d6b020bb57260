"""The form for a way in which a club plays: that which opens tables, as far as a table of a club leaves a choice."""

from django import forms
from django.shortcuts import redirect, render

from games.catalog import all_games
from games.clubs import playing
from games.clubs.models import LONGEST_NAME
from games.kit.language import lazily, lazily_in, said
from games.models import Match
from games.pages.clubs import membership_of
from games.pages.decorators import page
from games.pages.forms import OpenTableForm, rules_asked
from games.play.errors import NotAllowed, Refused


class WayForm(OpenTableForm):
    """A way to play of a club: its name, and what is chosen for a table."""

    name = forms.CharField(
        max_length=LONGEST_NAME, label=lazily_in("of a thing", "Name"), help_text=lazily("Such as “Friday evening”.")
    )

    def __init__(self, data, *, rules, sent):
        super().__init__(data, rules=rules, sent=sent)
        for name in ("bots", "listed"):
            del self.fields[name]
        watching = dict(Match.Watching.choices) | {Match.Watching.ANYONE.value: said("Members of the club")}
        self.fields["watching"].choices = list(watching.items())
        self.fields["seats"].help_text = said("Bots can be added at the table.")

    @property
    def chosen(self):
        """What a Way holds besides its name."""
        chosen = self.cleaned_data
        options = self.rules.clean_options(chosen["seats"], self.options)
        table = {"game": self.rules.slug, "seats": chosen["seats"], "options": options}
        return table | {"terms": self.terms.as_json()}


@page("history", known=True, posts=True)
def add(request, code):
    """The page on which who leads a club adds a way to play, by POST: of ?game=belot."""
    membership = membership_of(request, code)
    if not membership.leads:
        raise NotAllowed(lazily("Only the owner and the officers of the club can do that."))
    rules, sent = rules_asked(request)
    form = WayForm(request.POST or request.GET, rules=rules, sent=sent)
    if sent and form.is_valid():
        try:
            playing.add_way(membership, form.cleaned_data["name"], form.chosen)
            return redirect(membership.club)
        except Refused as refusal:
            form.add_error("name", str(refusal))
    template = "lobby/table_redrawn.html" if request.htmx and not sent else "clubs/way.html"
    context = {"form": form, "rules": rules, "games": all_games(), "club": membership.club}
    return render(request, template, context, status=400 if form.errors else 200)

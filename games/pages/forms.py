"""What people send, made clean or refused with a sentence they can read."""

import re

from django import forms

from games.catalog import InvalidOptions, all_games
from games.kit.shuffle import clean_commitment
from games.models import Match
from games.play.pace import DEFAULT_SPEED, SPEEDS

FEW_OPTIONS = 3  # more are folded away, behind the ways to play
MANY_CHOICES = 10  # more are put into a menu
USUAL = "usual"  # the choice of an option's default where that depends on the number of seats


def seat_fields(data):
    """{"entropy_hash", "form_key"} of a posted form that takes a seat; "" for what is missing or none."""
    form_key = data.get("form_key", "")
    return {
        "entropy_hash": clean_commitment(data.get("entropy_hash")),
        "form_key": form_key if re.fullmatch(r"[\w-]{1,32}", form_key, re.ASCII) else "",
    }


class Choices(forms.RadioSelect):
    """Radio buttons, each with its name and a line that explains it: labels are "name: explanation"."""

    template_name = "lobby/choices.html"

    def create_option(self, name, value, label, *args, **kwargs):
        option = super().create_option(name, value, label, *args, **kwargs)
        option["title"], _, option["explanation"] = str(label).partition(": ")
        return option


class OpenTableForm(forms.Form):
    """A new table of one game, with the options that its rules list."""

    seats = forms.TypedChoiceField(coerce=int, label="Players", help_text="Everybody at the table, bots included.")
    bots = forms.TypedChoiceField(
        coerce=int, initial=0, label="Bots", help_text="You can add more before the match starts."
    )
    speed = forms.ChoiceField(
        choices=[(speed.slug, f"{speed.name}: {speed.help}") for speed in SPEEDS.values()],
        initial=DEFAULT_SPEED,
        widget=Choices,
        help_text="When your time for a move and your reserve have both run out, a bot plays that move for you.",
    )
    listed = forms.TypedChoiceField(
        coerce=lambda value: value == "yes",
        choices=[
            ("yes", "Anyone: the table is shown in the lobby"),
            ("no", "By link only: for people you send the link to"),
        ],
        initial="yes",
        widget=Choices,
        label="Who can join",
    )

    def __init__(self, *args, rules, preset=None, **kwargs):
        """preset: the Preset that the options start with."""
        super().__init__(*args, label_suffix="", **kwargs)
        self.rules = rules
        start = preset.options if preset else {}
        self.fields["seats"].choices = [(count, count) for count in rules.seat_counts]
        self.fields["seats"].initial = rules.default_seats
        self.fields["bots"].choices = [(count, count) for count in range(max(rules.seat_counts))]
        self._values = {}
        for option in rules.option_fields():
            by_text = {str(choice.value): choice.value for choice in option.choices}
            self._values[option.name] = by_text
            choices = [
                (str(choice.value), f"{choice.label}: {choice.help}" if choice.help else choice.label)
                for choice in option.choices
            ]
            default = str(option.default)
            if usual := _usual(rules, option):
                default = USUAL
                choices.insert(0, (USUAL, f"Standard: {usual}"))
            self.fields[f"option_{option.name}"] = forms.ChoiceField(
                choices=choices,
                initial=str(start.get(option.name, default)),
                widget=forms.Select if len(choices) > MANY_CHOICES else Choices,
                label=option.label,
                help_text=option.help,
            )

    @property
    def table_fields(self):
        """What every game asks: who may join, how fast, how many."""
        return [field for field in self.visible_fields() if not field.name.startswith("option_")]

    @property
    def option_fields(self):
        """The game's own options."""
        return [field for field in self.visible_fields() if field.name.startswith("option_")]

    @property
    def shows_options(self):
        """Whether the options are few, or one of them has been refused."""
        return len(self.option_fields) <= FEW_OPTIONS or any(field.errors for field in self.option_fields)

    def clean(self):
        cleaned = super().clean()
        if {"seats", "bots"} <= cleaned.keys() and cleaned["bots"] >= cleaned["seats"]:
            self.add_error("bots", "Leave a seat for yourself: choose fewer bots than players.")
        if not self.errors:
            try:
                self.rules.clean_options(cleaned["seats"], self.options)
            except InvalidOptions as refusal:
                self.add_error(f"option_{refusal.field}", f"Not possible with {cleaned['seats']} players. {refusal}")
        return cleaned

    @property
    def options(self):
        """The chosen options as the rules take them, less those that this number of seats leaves no choice of."""
        chosen = {name: self.cleaned_data[f"option_{name}"] for name in self._values}
        values = {name: self._values[name][text] for name, text in chosen.items() if text != USUAL}
        return self.rules.open_options(self.cleaned_data["seats"], values)


def _usual(rules, option):
    """What is usual for how many seats, in words, where that differs: "With the Ally with 5 or 6 players."; else ""."""
    seats = {}
    for count in rules.seat_counts:
        field = next(field for field in rules.option_fields(count) if field.name == option.name)
        seats.setdefault(field.default, []).append(str(count))
    if len(seats) == 1:
        return ""
    labels = {choice.value: choice.label for choice in option.choices}
    return "; ".join(f"{labels[value]} with {' or '.join(counts)} players" for value, counts in seats.items()) + "."


class HistoryForm(forms.Form):
    """The filters of a list of matches, as they stand in its address. Every field may be missing."""

    RESULTS = [("", "Any"), ("won", "Won"), ("lost", "Not won"), ("running", "In progress")]

    game = forms.ChoiceField(required=False, choices=[("", "Any"), *((game.slug, game.name) for game in all_games())])
    player = forms.CharField(required=False, max_length=40, label="Played with")
    result = forms.ChoiceField(required=False, choices=RESULTS)
    since = forms.DateField(required=False, label="From", widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, label="To", widget=forms.DateInput(attrs={"type": "date"}))
    before = forms.SlugField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, label_suffix="", **kwargs)
        self._options = {}
        for rules in (game.newest for game in all_games()):
            if self.data.get("game") != rules.slug and not any(key.startswith(f"{rules.slug}.") for key in self.data):
                continue
            for option in rules.option_fields():
                key = f"{rules.slug}.{option.name}"
                self._options[key] = (rules.slug, option.name, {str(choice.value): choice for choice in option.choices})
                self.fields[key] = forms.ChoiceField(
                    required=False,
                    label=option.label,
                    choices=[("", "Any"), *((str(choice.value), choice.label) for choice in option.choices)],
                )

    def clean_before(self):
        code = self.cleaned_data["before"]
        if not code:
            return None
        found = Match.objects.filter(code=code).values_list("pk", flat=True).first()
        if found is None:
            raise forms.ValidationError("This list has no such page. Start again from the newest match.")
        return found

    @property
    def chosen_options(self):
        """[(game slug, option, value)] of the filters on options."""
        return [
            (slug, name, by_text[self.cleaned_data[key]].value)
            for key, (slug, name, by_text) in self._options.items()
            if self.cleaned_data.get(key)
        ]

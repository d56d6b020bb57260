"""Forms for opening a table, setting its start, and reporting a move. Their errors are sentences for players."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from django import forms
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.time_zones import LONGEST_NAME, find, is_known
from games.catalog import UnknownGame, all_games, deal_words, get_game, get_rules, levels_of
from games.clubs.models import LONGEST_NOTICE, Club
from games.history import lengths
from games.kit.contract import Choice, OptionField, Options, Preset, Rules
from games.kit.language import lazy, lazy_in, say, say_count
from games.kit.words import number_word
from games.models import Match, OddPlay, Terms
from games.models.terms import DEFAULT_SPEED
from games.pages.refusals import NotHere
from games.play.bot_names import BOT_NAMES
from games.play.errors import Refused
from games.play.pace import SPEEDS, Speed, speed_at
from games.play.rated import demand_rateable, demand_standard
from games.play.snapshot import Snapshot

SPEED_AMONG_FRIENDS = "untimed"
# Fields of Terms, in the order of the form. The fields of COMPANY are folded below the others.
TABLE = ("listed", "completion_asked", "speed", "rated")
COMPANY = ("watching", "chat", "open_deals", "claims", "slow_bots")


class Host(NamedTuple):
    """The user who opens a table, as the form sees them."""

    length: str = ""  # The slug of their latest format.
    level: str = ""  # The default level of the bots.
    completion: Sequence[int] = ()  # The completion rates, in percent, that they may ask of others.
    member: User | None = None  # The user, if they may play rated matches.
    club: Club | None = None  # The club whose table it is.


NOBODY = Host()


class Choices(forms.RadioSelect):
    """Radio buttons with explanations. Their labels are "name: explanation"."""

    template_name = "lobby/choices.html"

    def create_option(
        self, name: str, value: object, label: object, *args: object, **kwargs: object
    ) -> dict[str, object]:
        option = super().create_option(name, value, label, *args, **kwargs)
        option["title"], _, option["explanation"] = str(label).partition(": ")
        return option


def _yes_no_field(
    label: str = "", *, yes: str, no: str, usual: str = "no", required: bool = False
) -> forms.TypedChoiceField:
    """Return a field with the choices "yes" and "no", whose value is a bool. The usual choice comes first.

    yes, no: the words of the choices. Without a choice the value is None.
    """
    choices = [("no", no), ("yes", yes)] if usual == "no" else [("yes", yes), ("no", no)]
    return forms.TypedChoiceField(
        coerce=lambda value: value == "yes",
        choices=choices,
        initial=usual,
        empty_value=None,
        required=required,
        widget=Choices,
        label=label,
    )


def _speed_words(speed: Speed) -> str:
    if speed.move is None or speed.is_slow:
        return f"{speed.name}: {speed.help}"
    one, many = "{speed}: {number} second a move", "{speed}: {number} seconds a move"
    return say_count(speed.move, one, many, speed=speed.name)


class OpenTableForm(forms.Form):
    """The form of a new table: the fields of every game, and the options of this game at this number of seats."""

    seats = forms.TypedChoiceField(coerce=int, label=lazy("Players"), help_text=lazy("You and bots included."))
    bots = forms.TypedChoiceField(coerce=int, initial=0, label=lazy("Bots"), help_text=lazy("You can add more later."))
    preset = forms.ChoiceField(widget=Choices, label=lazy("Rules"))
    listed = _yes_no_field(
        lazy("Who can join"),
        no=lazy("Friends: Only people you send the link to. Seats still free when you start go to bots."),
        yes=lazy("Anyone: The table is shown in the lobby."),
        required=True,
    )
    watching = forms.ChoiceField(
        choices=Match.Watching.choices,
        initial=Match.Watching.ANYONE,
        required=False,
        label=lazy("Who can watch"),
        help_text=lazy("They see the table, and nobody’s hand."),
    )
    chat = forms.ChoiceField(
        choices=Match.Chat.choices,
        initial=Match.Chat.INVITED,
        required=False,
        label=lazy("Who can write"),
        help_text=lazy("Free text. Phrases, such as “Well played!”, are for everybody."),
    )
    open_deals = _yes_no_field(
        no=lazy("Closed cards: Who held what is shown once the match is over."),
        yes=lazy("Open cards: Players and watchers can go through it again and see who held what."),
    )
    claims = _yes_no_field(
        lazy("Claims"),
        yes=lazy("Allowed: a player who is sure of the last tricks can claim them, and the rest is played at once."),
        no=lazy("Not allowed: Every trick is played."),
        usual="yes",
    )
    completion_asked = forms.TypedChoiceField(
        required=False,
        empty_value=None,
        coerce=int,
        label=lazy("How many of their matches do they finish?"),
        help_text=lazy("No more than you finish yourself. People you invite by name are always welcome."),
    )
    rated = _yes_no_field(
        lazy("Rating"),
        no=lazy("Casual: anyone can join, and bots."),
        yes=lazy(
            "Rated: Members only, with a clock (Normal, unless you choose another) and one of the named sets of rules. "
            "The result changes ratings."
        ),
    )
    speed = forms.ChoiceField(
        initial=SPEED_AMONG_FRIENDS,
        label=lazy("Speed"),
        help_text=lazy(
            "At the faster speeds each player also has a reserve: the longer the match, the larger it is. "
            "When time runs out, a bot plays that move."
        ),
    )
    slow_bots = _yes_no_field(
        lazy("Pace of the bots"),
        no=lazy("Usual: They play after a short pause."),
        yes=lazy("Slow: Their pauses are twice as long, so that everybody can follow."),
    )
    drawn_seats = forms.CharField(required=False, widget=forms.HiddenInput)
    drawn_preset = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, str], *, rules: Rules, is_submitted: bool, host: Host = NOBODY) -> None:
        """Take the fields of a form or an address. All are optional.

        is_submitted: whether to open the table, not only to draw the form.
        """
        length, level, completion, member, club = host
        self.rules = rules
        self._member = member
        self.settled = settled = settle_table(rules, data, length)
        if data.get("rated") == "yes" and data.get("speed", SPEED_AMONG_FRIENDS) == SPEED_AMONG_FRIENDS:
            settled.values["speed"] = DEFAULT_SPEED  # Rated matches need a clock.
        names = [*self.base_fields, *map(_level_field, range(settled.bots))]
        values = {name: data[name] for name in names if name in data} | settled.values
        bound = values | {"seats": data["seats"]} if is_submitted and "seats" in data else values
        super().__init__(bound if is_submitted else None, initial=values, label_suffix="")
        self.fields["seats"].choices = [(count, count) for count in rules.seat_counts]
        self.fields["bots"].choices = [(count, count) for count in range(settled.seats)]
        self.fields["preset"].choices = [
            (preset.slug, f"{preset.name}: {preset.help}") for preset in rules.offered_presets
        ]
        if not rules.presets:
            del self.fields["preset"]
        speeds = [speed_at(slug, rules, settled.seats, {}) for slug in SPEEDS]
        self.fields["open_deals"].label = say("After each {deal}", deal=deal_words(rules.slug).one)
        self.fields["speed"].choices = [(speed.slug, _speed_words(speed)) for speed in speeds]
        rates = [(percent, say("{percent}% or more", percent=percent)) for percent in completion]
        self.fields["completion_asked"].choices = [("", say("Any number")), *rates]
        if not completion:
            del self.fields["completion_asked"]
        if member is None:
            del self.fields["rated"]
        self._club = club
        if club:
            del self.fields["listed"]
            watching = dict(Match.Watching.choices) | {str(Match.Watching.ANYONE): say("Members of the club")}
            self.fields["watching"].choices = list(watching.items())
        if get_game(rules.slug).claims is None:
            del self.fields["claims"]
        self.level_words = levels_of(rules.slug)
        self._add_levels(settled.bots, level)
        self._values = {}
        for option in rules.option_fields(settled.seats):
            if len(option.choices) > 1:
                self._values[option.name] = {str(choice.value): choice.value for choice in option.choices}
                self.fields[f"option_{option.name}"] = self._option_field(option)

    def _add_levels(self, bots: int, level: str) -> None:
        """Add a field for the level of each bot, if the game has bots of several strengths.

        bots: their number. level: the default for each. The label of a field is the name of the bot.
        """
        self._levels = [_level_field(number) for number in range(bots)] if self.level_words else []
        choices = [(slug, words.name) for slug, words in self.level_words.items()]
        for name, label in zip(self._levels, BOT_NAMES.values(), strict=False):  # There are more names than bots.
            self.fields[name] = forms.ChoiceField(choices=choices, initial=level, required=False, label=label)

    @property
    def level_fields(self) -> list[forms.BoundField]:
        """The field for the level of each bot."""
        return [self[name] for name in self._levels]

    @property
    def levels(self) -> list[str]:
        """The level of each bot."""
        return [self.cleaned_data[name] or self.fields[name].initial for name in self._levels]

    def _option_field(self, option: OptionField) -> forms.ChoiceField:
        """Return the field of an option: radio buttons with explanations, or a menu for lengths and plain choices."""
        is_length = option.name in self.rules.length_options
        is_menu = is_length or not all(choice.help for choice in option.choices)
        words_of = self._menu_words if is_menu else _choice_words
        return forms.ChoiceField(
            choices=[(str(choice.value), words_of(option, choice)) for choice in option.choices],
            widget=forms.Select if is_menu else Choices,
            label=option.label,
            help_text=option.help,
        )

    def _menu_words(self, option: OptionField, choice: Choice) -> str:
        """Return the label of a choice in a menu, such as "To 101, about 20 minutes", with its explanation, if any.

        Only choices of the length of a match have minutes. Numbers need no explanation.
        """
        match_format = self.rules.format_of({option.name: choice.value})
        minutes = lengths.minutes_of(self.rules, self.settled.seats, match_format)
        words = choice.label
        if minutes:
            one, many = "{length}, about {number} minute", "{length}, about {number} minutes"
            words = say_count(minutes, one, many, length=choice.label)
        is_number = not isinstance(choice.value, str)
        return words if is_number or not choice.help else f"{words}: {choice.help}"

    @property
    def length_fields(self) -> list[forms.BoundField]:
        """The fields of the options that set the length of the match."""
        return [self[f"option_{name}"] for name in self._values if name in self.rules.length_options]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """The fields of the other options that have a choice at this number of seats."""
        return [self[f"option_{name}"] for name in self._values if name not in self.rules.length_options]

    @property
    def settled_options(self) -> list[Choice]:
        """The only choice of each option that has no other at this number of seats."""
        return [field.choices[0] for field in self.rules.option_fields(self.settled.seats) if len(field.choices) == 1]

    @property
    def terms(self) -> Terms:
        """The Terms of the table. Fields that are missing or empty have their default."""
        terms = Terms.of_json({name: value for name, value in self.cleaned_data.items() if value not in ("", None)})
        return replace(terms, listed=False, club_id=self._club.pk) if self._club else terms

    @property
    def table_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in TABLE if name in self.fields]

    @property
    def company_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in COMPANY if name in self.fields]

    @property
    def shows_company(self) -> bool:
        """Whether the page opens the section of `company_fields`: who may watch, who may write, and so on.

        It does so if a field has an error or another value than usual, so that nobody overlooks it.
        """
        fields = self.company_fields
        return any(field.errors or (field.value() or field.initial) != field.initial for field in fields)

    @property
    def shows_options(self) -> bool:
        """Whether the page opens the section with the options of the game.

        It does so if an option has an error or another value than in the chosen preset, so that nobody overlooks it.
        The length is chosen elsewhere on the page.
        """
        if any(field.errors for field in self.option_fields) or self.settled.conflicts:
            return True  # A conflict is a choice that is impossible with this number of seats.
        preset_options = self.rules.named_options(self.settled.seats, self.settled.preset)
        names = [name for name in self._values if name not in self.rules.length_options]
        return any(self.settled.values[f"option_{name}"] != str(preset_options[name]) for name in names)

    def clean(self) -> dict[str, object] | None:
        for sentence in self.settled.conflicts:
            self.add_error(None, sentence)
        if self.cleaned_data.get("rated") and not self.errors:
            self._clean_rated()
        return super().clean()

    def _clean_rated(self) -> None:
        chosen = self.cleaned_data
        options = self.rules.clean_options(chosen["seats"], self.options)
        try:
            demand_rateable(self._member, SPEEDS[chosen["speed"]], chosen.get("bots", 0))
            demand_standard(self.rules, chosen["seats"], options)
        except Refused as refusal:
            self.add_error("rated", str(refusal))

    @property
    def options(self) -> Options:
        """The options, for the rules."""
        return {name: values[self.cleaned_data[f"option_{name}"]] for name, values in self._values.items()}


class ClockForm(forms.Form):
    """A form with a time on the clock of its user."""

    starts_at = forms.DateTimeField(
        label=lazy_in("the time when a match begins", "Start"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        error_messages=dict.fromkeys(("required", "invalid"), lazy("Choose a day and a time.")),
    )
    time_zone = forms.CharField(required=False, max_length=LONGEST_NAME, widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, str] | None, **initial: object) -> None:
        zone = str(timezone.get_current_timezone())
        super().__init__(data, initial={"time_zone": zone, **initial}, label_suffix="")
        sentence = "On your clock: {zone}." if is_known() else "On the clock of this site: {zone}."
        self.fields["starts_at"].help_text = say(sentence, zone=zone)

    def clean(self) -> dict[str, object]:
        """Read "starts_at" as a time on the user's clock, in the time zone that the browser has named."""
        cleaned = super().clean()
        zone_name = cleaned.get("time_zone")
        if cleaned.get("starts_at") and zone_name:
            if (zone := find(zone_name)) is None:
                raise forms.ValidationError(lazy("We don’t know this time zone. Load the page again."))
            cleaned["starts_at"] = cleaned["starts_at"].replace(tzinfo=zone)
        return cleaned


class NoticeForm(ClockForm):
    """A notice on the board of a club, perhaps of a date."""

    text = forms.CharField(
        max_length=LONGEST_NOTICE, label=lazy("Notice"), widget=forms.Textarea(attrs={"rows": 5, "autocomplete": "off"})
    )
    field_order = ("text", "starts_at")

    def __init__(self, data: Mapping[str, str] | None) -> None:
        super().__init__(data)
        self.fields["starts_at"].required = False
        self.fields["starts_at"].label = say("Date (optional)")


class StartForm(ClockForm):
    """The start of an open table, in the time zone of its host."""

    fills_with_bots = _yes_no_field(
        lazy("If seats are still free then"),
        yes=lazy("Bots: They take the free seats, and the match starts, if anybody is there."),
        no=lazy("Wait: The table stays open until the seats are taken, or you start it."),
        usual="yes",
        required=True,
    )

    def __init__(self, data: Mapping[str, str] | None, *, snapshot: Snapshot) -> None:
        next_hour = timezone.now().replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        fills = "yes" if snapshot.fills_with_bots or not snapshot.starts_at else "no"
        super().__init__(data, fills_with_bots=fills, starts_at=snapshot.starts_at or next_hour)
        if snapshot.terms.rated:
            del self.fields["fills_with_bots"]


class SettledTable(NamedTuple):
    """The values of a form for a table, adapted to its number of seats and its preset."""

    seats: int
    bots: int
    preset: Preset | None
    values: dict[str, str]  # of the fields that depend on the seats and the preset
    conflicts: list[str]  # a sentence for each choice that is impossible with this number of seats


def settle_table(rules: Rules, data: Mapping[str, str], length: str = "") -> SettledTable:
    """Adapt the fields of a new table to a changed number of seats or a changed preset, a named set of options.

    data: the fields of the form or of the address. Two hidden fields, "drawn_seats" and "drawn_preset", hold the
    values when the form was drawn. Options that the user has not changed since get the defaults for the new number of
    seats. A new preset resets all options except the length. length: the slug of the default length.
    """
    seats = _allowed_number(data.get("seats"), rules.seat_counts) or rules.default_seats
    preset = rules.find_preset(data.get("preset", ""))
    slug = preset.slug if preset else ""
    defaults = rules.named_options(seats, preset, rules.find_format(data.get("length", length)))
    drawn_seats = _allowed_number(data.get("drawn_seats"), rules.seat_counts)
    drawn_preset = data.get("drawn_preset", slug)
    drawn_defaults = rules.named_options(drawn_seats, rules.find_preset(drawn_preset)) if drawn_seats else {}
    values = {"seats": str(seats), "preset": slug, "drawn_seats": str(seats), "drawn_preset": slug}
    conflicts = []  # A sentence for each choice that is impossible now.
    for option in rules.option_fields(seats):
        name, value = f"option_{option.name}", str(defaults[option.name])
        chosen = data.get(name, value)
        is_length = option.name in rules.length_options
        # Whether the user has left the option as the form was drawn.
        was_default = option.name in drawn_defaults and chosen == str(drawn_defaults[option.name])
        keeps_choice = is_length or (drawn_preset == slug and not was_default)
        if keeps_choice and chosen in {str(choice.value) for choice in option.choices}:
            value = chosen
        elif keeps_choice:
            conflicts.append(_conflict_words(rules, option, chosen, seats))
        values[name] = value
    bots = _allowed_number(data.get("bots"), range(max(rules.seat_counts)))
    if bots is not None and bots >= seats:
        one = "With {seats} players there is room for no more than {number} bot, as one seat is yours."
        many = "With {seats} players there is room for no more than {number} bots, as one seat is yours."
        conflicts.append(say_count(seats - 1, one, many, seats=seats))
        bots = seats - 1
        values["bots"] = str(bots)
    return SettledTable(seats, bots or 0, preset, values, conflicts)


def _level_field(number: int) -> str:
    return f"level_{number}"


def _allowed_number(text: str | None, allowed: Iterable[int]) -> int | None:
    """Convert a text to one of the allowed numbers, or to None."""
    return next((count for count in allowed if text == str(count)), None)


def _conflict_words(rules: Rules, option: OptionField, text: str, seats: int) -> str:
    """Return a sentence that says why a choice is impossible with this number of seats.

    text: the chosen value, as the form has it. If the option has no such value at any number of seats, say only that.
    """
    # Without a number of seats, an option has all its choices.
    full_option = next(field for field in rules.option_fields() if field.name == option.name)
    label = next((choice.label for choice in full_option.choices if str(choice.value) == text), None)
    if label is None:
        return say("{option}: choose one of the values offered.", option=option.label)
    one = "{option}: {word} player can’t choose “{choice}”. Choose another value."
    many = "{option}: {word} players can’t choose “{choice}”. Choose another value."
    return say_count(seats, one, many, option=option.label, word=number_word(seats), choice=label)


def _choice_words(option: OptionField, choice: Choice) -> str:
    return f"{choice.label}: {choice.help}"


class OddForm(forms.ModelForm):
    """The form of a report that a bot's move was odd."""

    class Meta:
        model = OddPlay
        fields = ["note"]
        labels = {"note": lazy("What was odd about it? (optional)")}
        widgets = {"note": forms.TextInput(attrs={"autocomplete": "off"})}


def requested_rules(request: HttpRequest) -> tuple[Rules, bool]:
    """Return the rules of ?game=belot, by default of the first game, and whether the user wants to open the table.

    A form that is posted with "redraw" is only drawn again, after a choice that changes its fields. Raises NotHere.
    """
    try:
        rules = get_rules(request.GET.get("game", all_games()[0].slug))
    except UnknownGame as error:
        raise NotHere(str(error)) from None
    lengths.refresh()  # The form shows how many minutes matches take. Measure them again from time to time.
    return rules, request.method == "POST" and "redraw" not in request.POST

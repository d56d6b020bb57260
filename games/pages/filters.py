"""The filters of a list of matches: the form that cleans an address, and the filters as sentences."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import TypedDict

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import QueryDict
from django.utils.formats import date_format

from accounts.models import User
from accounts.time_zones import site_month, start_of
from games.catalog import all_games, deal_words
from games.deal_index.search import counts
from games.kit.contract import Card, Choice, OptionField, Rules
from games.kit.facts import HAND, Answer, Question, holds, of_unit
from games.kit.game import Game
from games.kit.language import lazy, lazy_in, say, say_count, say_in
from games.kit.words import CARD_NAMES, PLACES, Names, join_words, number_word
from games.models import Match
from games.notes import notebook
from games.play.pace import SPEEDS
from games.ratings.boards import parse_month
from games.ratings.models import Pace
from games.ratings.updates import pace_of

type Choices = Iterable[tuple[object, object]]  # values and labels

ANY = [("", lazy_in("in a menu", "Any"))]
YES_NO = [("yes", lazy("Yes")), ("no", lazy("No"))]
FINISHES = (
    lazy_in("place, by itself", "First"),
    lazy_in("place, by itself", "Second"),
    lazy_in("place, by itself", "Third"),
    lazy_in("place, by itself", "Fourth"),
    lazy_in("place, by itself", "Fifth"),
    lazy_in("place, by itself", "Sixth"),
    lazy_in("place, by itself", "Seventh"),
)
WHO = ["partner", "opponent", "anybody"]
DEAL_PREFIX = "deal."  # The prefix of fields about deals.
FIRST = ("game", "player", "result", "since")  # The other fields for all games stand behind "More".
FIRST_QUESTIONS = 4  # about deals; the others stand behind "More about the deal".
HELD = f"{DEAL_PREFIX}{HAND.fact}"
NOTED = ("starred", "tag", "noted")  # Fields about the reader's own notes.
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(3000, 1, 1)  # Every time zone and database can store these.


def _start_of_day(day: date | None, days_later: int = 0) -> datetime | None:
    """Return the moment when a day starts in the reader's time zone, or None if day is None.

    days_later: take the day that is so many days later. Databases can't store all days: we take FIRST_DAY for days
    before it, and LAST_DAY for days after it.
    """
    if day is None:
        return None
    storable_day = min(max(day, FIRST_DAY), LAST_DAY)
    return start_of(storable_day + timedelta(days=days_later))


def _day_field(label: str) -> forms.DateField:
    return forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}), label=label)


def _name_field(label: str) -> forms.CharField:
    return forms.CharField(required=False, max_length=40, label=label)


def _player_field(label: str) -> forms.CharField:
    """Return a field for the name of a player. The page suggests names."""
    field = _name_field(label)
    field.widget.attrs["list"] = "known-names"
    return field


def _count_field(label: str, most: int) -> forms.IntegerField:
    return forms.IntegerField(required=False, min_value=0, max_value=most, label=label)


def _menu(label: str, choices: Choices) -> forms.ChoiceField:
    return forms.ChoiceField(required=False, choices=[*ANY, *choices], label=label)


def _one_of(label: str, choices: Choices) -> forms.ChoiceField:
    """Return a field that shows all its choices, so that each takes one click."""
    return forms.ChoiceField(required=False, choices=choices, label=label, widget=forms.RadioSelect)


def _number_menu(label: str, choices: Choices) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(required=False, coerce=int, empty_value=None, choices=[*ANY, *choices], label=label)


class FilterForm(forms.Form):
    """The filters. No field is required. The fields of a game are added when it is chosen."""

    game = _menu(lazy("Game"), [(game.slug, game.name) for game in all_games()])
    player = _player_field(lazy("Played with"))
    partner = _player_field(lazy("As partner"))
    against = _player_field(lazy_in("a name follows", "Against"))
    ahead = _player_field(lazy_in("a name follows", "Ahead of"))
    result = _menu(
        lazy("Result"),
        [
            ("won", lazy_in("a match", "Won")),
            ("lost", lazy_in("a match", "Not won")),
            ("over", lazy_in("a match", "Finished")),
            ("running", lazy("In progress")),
        ],
    )
    place = _number_menu(lazy("Place"), enumerate(FINISHES, 1))
    margin_from = _count_field(lazy("Won by at least"), 10_000)
    margin_to = _count_field(lazy("Won by at most"), 10_000)
    since = _day_field(lazy_in("a day", "From"))
    until = _day_field(lazy_in("a day", "To"))
    ended = forms.CharField(
        required=False,
        max_length=7,
        label=lazy("Month of the end"),
        widget=forms.TextInput(attrs={"type": "month", "placeholder": "2026-11"}),
    )
    seats = _number_menu(
        lazy("Players"),
        [(count, count) for count in sorted({count for game in all_games() for count in game.newest.seat_counts})],
    )
    speed = _menu(lazy("Speed"), [(speed.slug, speed.name) for speed in SPEEDS.values()] + list(Pace.choices))
    bots = _menu(lazy("Bots"), [("with", lazy("With bots")), ("without", lazy("Without bots"))])
    rated = _menu(lazy_in("a match", "Rated"), YES_NO)
    left = _menu(lazy("Somebody left"), YES_NO)
    deals_from = _count_field(lazy("Deals, at least"), 1000)
    deals_to = _count_field(lazy("Deals, at most"), 1000)
    where = _menu(
        lazy_in("heading", "Where"),
        [("online", lazy_in("where a match was played", "Online")), ("table", lazy("At the table"))],
    )
    before = forms.SlugField(required=False, max_length=16, widget=forms.HiddenInput)

    starred = _menu(lazy("Star"), [("yes", lazy("With a star"))])
    tag = _name_field(lazy_in("a tag follows", "Tagged"))
    noted = _name_field(lazy_in("a text follows", "Noted"))

    def __init__(self, data: Mapping[str, str], owner: str = "", **kwargs: object) -> None:
        """owner: the name of the user whose matches are listed, "" for the reader's own."""
        super().__init__(data, label_suffix="", **kwargs)
        self._owner = owner
        self._options: dict[str, tuple[str, OptionField, dict[str, Choice]]] = {}
        self._questions: dict[str, tuple[Question, dict[str, Answer]]] = {}
        if owner:
            for name in (*NOTED, "where"):
                del self.fields[name]
        for game in all_games():
            rules = game.newest
            is_chosen = self.data.get("game") == game.slug
            has_options = any(key.startswith(f"{game.slug}.") for key in self.data)
            if is_chosen:
                self._add_questions(game)
            if is_chosen or has_options:
                self._add_options(rules)

    def _add_options(self, rules: Rules) -> None:
        """Add a menu for each option of a game, such as the length of its matches, to the form.

        rules: of the game. The name of a field is the slug of the game and the name of the option: "belot.target".
        """
        for option in rules.option_fields():
            name = f"{rules.slug}.{option.name}"
            choice_by_text = {str(choice.value): choice for choice in option.choices}  # As addresses have them.
            self._options[name] = (rules.slug, option, choice_by_text)
            self.fields[name] = _menu(option.label, [(text, choice.label) for text, choice in choice_by_text.items()])

    def _add_questions(self, game: Game) -> None:
        """Add a field for each question about the deals of a game, and one for the player ("who") that it is about.

        Each game has its questions, such as "Said double". Each is about one fact that we store of every deal. The
        reader chooses one of its answers, and the search finds the deals where it is true.
        """
        self.fields["who"] = _one_of(say_in("a question", "Who"), self._who_choices().items())
        for question in game.questions:
            name = f"{DEAL_PREFIX}{question.name}"
            self._questions[name] = (question, {answer.slug: answer for answer in question.answers})
            answers = [(answer.slug, answer.words) for answer in question.answers]
            self.fields[name] = _one_of(question.label, [*ANY, *answers])
        if not self._owner:  # Others might play these cards in a challenge.
            self.fields[HELD] = forms.MultipleChoiceField(
                required=False,
                label=HAND.label,
                choices=[(card, CARD_NAMES[card]) for card in _cards_of(game)],
                widget=forms.CheckboxSelectMultiple,
            )

    def _who_choices(self) -> dict[str, str]:
        """Return the people whom a filter about deals can be about: the choices of "who", as {value: label}.

        The value "" is the owner of the list of matches. In the reader's own list, this is the reader: "You". The other
        values are those of WHO: "partner", "opponent" and "anybody".
        """
        if owner := self._owner:
            names = owner, say("A partner of {name}", name=owner), say("An opponent of {name}", name=owner)
        else:
            names = say_in("begins a sentence", "You"), say("Your partner"), say("An opponent")
        labels = [*names, say_in("begins a sentence", "Somebody")]
        return dict(zip(["", *WHO], labels, strict=True))

    def clean_before(self) -> int | None:
        code = self.cleaned_data["before"]
        if not code:
            return None
        match = Match.objects.filter(code=code).values_list("pk", flat=True).first()
        if match is None:
            raise forms.ValidationError(lazy("This list has no such page. Start again from the newest match."))
        return match

    def clean_ended(self) -> date | None:
        text = self.cleaned_data["ended"]
        month = parse_month(text) if text else None
        if text and month is None:
            raise forms.ValidationError(lazy("Choose one of the months."))
        return month

    @property
    def criteria(self) -> dict[str, object]:
        """The filters as arguments of a search: most fields with their values, and two lists.

        "options" are the chosen values of games' options, as (game, name of the option, value). "answers" are the
        questions about deals, as (question, chosen answer). The form must be valid.
        """
        cleaned = self.cleaned_data
        options = [
            (game, option.name, choice_by_text[cleaned[field]].value)
            for field, (game, option, choice_by_text) in self._options.items()
            if cleaned.get(field)
        ]
        answers = [
            (question, answer_by_slug[cleaned[field]])
            for field, (question, answer_by_slug) in self._questions.items()
            if cleaned.get(field)
        ]
        answers += [(HAND, holds(card)) for card in cleaned.get(HELD, ())]
        days = {
            "since": _start_of_day(cleaned.get("since")),
            "until": _start_of_day(cleaned.get("until"), days_later=1),  # The day itself is included.
        }
        others = {
            "ended": site_month(cleaned["ended"]) if cleaned["ended"] else None,
            "speed": _speeds(cleaned["speed"]),
            "who": cleaned.get("who", ""),
        }
        return cleaned | days | others | {"options": options, "answers": answers}

    # As fields

    @property
    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields in groups, as pairs of a heading and fields. Empty groups are left out.

        The groups are for all games and for the options of the chosen one. "before" is the place in the list and has no
        visible field.
        """
        for_all_games = [
            self[name] for name in self.base_fields if name in self.fields and name not in ("before", *FIRST)
        ]
        groups = [
            (say("More"), for_all_games),
            (say("Options"), [self[name] for name in self._options]),
        ]
        return [(heading, fields) for heading, fields in groups if fields]

    @property
    def first_fields(self) -> list[forms.BoundField]:
        """The fields that most readers need."""
        return [self[name] for name in FIRST]

    @property
    def first_questions(self) -> list[forms.BoundField]:
        """The questions about deals that most readers need. Empty if no game is chosen."""
        return [self[name] for name in list(self._questions)[:FIRST_QUESTIONS]]

    @property
    def more_questions(self) -> list[forms.BoundField]:
        """The other questions about deals, and the player that all are about."""
        return [self[name] for name in ("who", *list(self._questions)[FIRST_QUESTIONS:])] if self._questions else []

    @property
    def asks_more(self) -> bool:
        """Whether one of the other questions has an answer."""
        return any(field.value() for field in self.more_questions)

    @property
    def held_cards(self) -> forms.BoundField | None:
        """The field for cards that a hand held. None if no game is chosen, and in the lists of others."""
        return self[HELD] if HELD in self.fields else None

    @property
    def is_begun(self) -> bool:
        """Whether the fields start unfolded: a value was invalid, or only the game is chosen so far."""
        return bool(self.errors) or [name for name, value in self.data.items() if value] == ["game"]

    @property
    def has_days(self) -> bool:
        """Whether the filter asks for a day."""
        return bool(self.data.get("since") or self.data.get("until"))

    # As sentences

    @property
    def sentences(self) -> list[tuple[str, str]]:
        """The filters in use, as pairs of a field's name and a sentence: "No bot played." The form must be valid.

        Some fields ask about the deals of a match. Others are for the options of a game, such as its length.
        """
        sentences = []
        for name, field in self.fields.items():
            value = self.cleaned_data.get(name)
            if value in (None, "", []) or name in ("before", "who"):
                continue  # "before" is the place in the list, and "who" belongs to the questions about deals.
            if name == HELD:
                who, cards = (
                    self._who_choices()[self.cleaned_data["who"]],
                    join_words([str(CARD_NAMES[card]) for card in value]),
                )
                sentences.append((name, say("{who} held: {cards}.", who=who, cards=cards)))
            elif name in self._questions:
                question, answer_by_slug = self._questions[name]
                # A question is about a player, such as whether they bid, or about the deal as a whole.
                who = self._who_choices()[self.cleaned_data["who"]] if question.of_seat else ""
                sentences.append((name, answer_by_slug[value].sentence_about(who)))
            elif name in self._options:
                _, option, choice_by_text = self._options[name]
                label = choice_by_text[value].label
                sentences.append((name, say("{option}: {value}.", option=option.label, value=label)))
            else:
                label = dict(field.choices).get(value, value) if hasattr(field, "choices") else value
                sentences.append((name, self._sentence(name, label)))
        return sentences

    def _sentence(self, name: str, label: object) -> str:
        """Return the sentence of a filter that all games have. name: of its field. label: of its value.

        Some sentences are about the owner of the list: "Ana had Boris as partner." In the reader's own list they say
        "You had Boris as partner."
        """
        value = self.cleaned_data[name]
        # A list of names by seat: seat 0 is the owner. If the viewer has that seat, sentences say "You".
        owner = Names([self._owner], viewer=None if self._owner else 0)
        match name:
            case "game":
                return say("The game was {game}.", game=label)
            case "speed":
                return say("The speed was “{speed}”.", speed=label)
            case "player":
                return say("{name} played.", name=value)
            case "partner":
                return owner.say_of(0, "You had {other} as partner.", "{name} had {other} as partner.", other=value)
            case "against":
                return owner.say_of(0, "You played against {other}.", "{name} played against {other}.", other=value)
            case "ahead":
                return owner.say_of(0, "You came before {other}.", "{name} came before {other}.", other=value)
            case "result":
                return self._result_sentence(value, owner)
            case "place":
                return owner.say_of(0, "You came {place}.", "{name} came {place}.", place=PLACES[value - 1])
        return self._mark_sentence(name) or self._figure_sentence(name)

    def _figure_sentence(self, name: str) -> str:
        """Return the sentence of a filter about a number or a day."""
        value = self.cleaned_data[name]
        match name:
            case "margin_from" | "margin_to":
                sentence = "It was won by {n} or more." if name == "margin_from" else "It was won by {n} or fewer."
                return say(sentence, n=value)
            case "since" | "until":
                sentence = "Since {day}." if name == "since" else "Until {day}."
                return say(sentence, day=date_format(value, say("j F Y")))
            case "ended":
                return say("Month of the end: {month}.", month=date_format(value, say("F Y")))
            case "seats":
                one, many = "There was {word} player.", "There were {word} players."
                return say_count(value, one, many, word=number_word(value))
            case "deals_from":
                return say_count(value, "It had {number} deal or more.", "It had {number} deals or more.")
            case "deals_to":
                return say_count(value, "It had {number} deal or fewer.", "It had {number} deals or fewer.")
        raise AssertionError(name)

    def _mark_sentence(self, name: str) -> str:
        """Return the sentence of a filter about bots, ratings, leavers or notes, "" for other filters."""
        value = self.cleaned_data[name]
        match name:
            case "bots":
                return say("A bot played." if value == "with" else "No bot played.")
            case "rated":
                return say("It was rated." if value == "yes" else "It was not rated.")
            case "left":
                return say("Somebody left." if value == "yes" else "Nobody left.")
            case "where":
                return say("It was played online." if value == "online" else "It was played at a real table.")
            case "starred":
                return say("It has a star.")
            case "tag" | "noted":
                return say("It is tagged “{words}”." if name == "tag" else "The note says “{words}”.", words=value)
        return ""

    @staticmethod
    def _result_sentence(value: object, owner: Names) -> str:
        if value == "running":
            return say("It is in progress.")
        if value == "over":
            return say("It is finished.")
        if value == "won":
            return owner.say_of(0, "You won.", "{name} won.")
        return owner.say_of(0, "You did not win.", "{name} did not win.")


def _speeds(speed: str) -> list[str]:
    """Return the speeds that a filter allows: one, or all of a pace. [] if it allows any."""
    if speed in Pace.values:
        return [slug for slug in SPEEDS if pace_of(slug) == speed]
    return [speed] if speed else []


def _cards_of(game: Game) -> list[Card]:
    """Return the cards of a game, at its largest table."""
    seats = game.newest.seat_counts[-1]
    cards = game.newest.deck(game.newest.new_match(seats, game.newest.usual_options(seats)))
    return [card for card in cards if card in CARD_NAMES]


class SavedFilterLine(TypedDict):
    """A saved filter, with the number of its matches, or of its deals if it is about deals."""

    pk: int
    name: str
    query: str
    unit: str
    count: int | None  # None if the filter is no longer valid
    count_words: str  # the number with its unit


def saved_filters(user: User) -> list[SavedFilterLine]:
    """Return a user's saved filters, sorted by name, with the number of matches or deals that each finds now.

    A filter with a question about deals counts deals. The count of a filter that is no longer valid is None. All
    counts together take one query.
    """
    lines: list[SavedFilterLine] = []
    searches = []
    for saved in notebook.filters_of(user):
        line = SavedFilterLine(pk=saved.pk, name=saved.name, query=saved.query, unit="", count=None, count_words="")
        lines.append(line)
        form = FilterForm(QueryDict(saved.query))
        if form.is_valid():
            line["unit"] = deal_words(form.cleaned_data["game"]).unit if form.criteria["answers"] else "match"
            searches.append((line, form.criteria))
    numbers = counts(user, [criteria for _, criteria in searches])
    for (line, _), number in zip(searches, numbers, strict=True):
        line["count"] = number
        line["count_words"] = of_unit(number, line["unit"], str(intcomma(number)))  # "1,234 matches"
    return lines

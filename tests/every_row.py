"""A row of every model, for tests that carry a whole database elsewhere."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pprint import pprint
from uuid import UUID

from django.apps import apps
from django.db import models, transaction

from accounts.models import User
from games.models import Match

NUMBERS = count(7_000)
MOMENT = datetime(2026, 3, 29, 1, 30, 15, 123456, tzinfo=UTC)
CHOSEN = {  # values that a constraint asks for
    "games.Match": {"seat_count": 4, "deal_count": 0, "started_at": None},
    "games.Claim": {"kind": "all"},
    "chat.ChatMessage": {"phrase": "", "club": None},
    "site.Announcement": {"ends_at": MOMENT + timedelta(hours=1)},
}


def add_missing():
    """Add a row to every model without one, with a value in every field.

    They belong to matches of their own, so that real matches stay as their moves make them.
    """
    for name in ("Ana", "Boris", "Vera", "Goran"):
        User.objects.create(username=name)
    missing = [model for model in all_models() if not model._base_manager.exists()]
    with transaction.atomic():
        for model in [Match, Match, *missing]:
            add(model)


def print_all():
    """Print every row, a line each, as Python writes it: with microseconds, which JSON has not."""
    for model in all_models():
        for row in model._base_manager.order_by("pk").values_list():
            pprint((model._meta.label, *row), width=10**9)  # with sorted keys, in whichever order they are stored


def all_models():
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def add(model):
    """Save a row past the model's own `save`, as it may come from an older version."""
    chosen = CHOSEN.get(model._meta.label, {})
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    values = {field.attname: chosen.get(field.name, value_of(field)) for field in fields}
    return model._base_manager.bulk_create([model(**values)])[0]


def value_of(field):
    """Return a value for a field: a choice, a row that exists or is added for it, or something new of its type."""
    if field.remote_field:
        return None if field.related_model is field.model else key_of_row(field)
    if field.choices:
        return field.flatchoices[-1][0]
    return VALUES[field.get_internal_type()](field)


def key_of_row(field):
    """Return the key of the last row, or of one before it if an earlier field of the model has that one."""
    others = [other for other in field.model._meta.concrete_fields if other.related_model is field.related_model]
    rows = field.related_model._base_manager.order_by("-pk")
    while len(rows) <= (place := others.index(field)):
        add(field.related_model)
        rows = rows.all()
    return getattr(rows[place], field.target_field.attname)


VALUES = {
    "BigIntegerField": lambda field: 2**40 + next(NUMBERS),
    "BinaryField": lambda field: b"\0\xff" * 3,
    "BooleanField": lambda field: False,
    "CharField": lambda field: f"Ž–ж{next(NUMBERS)}"[: field.max_length],
    "DateField": lambda field: MOMENT.date(),
    "DateTimeField": lambda field: MOMENT,
    "DurationField": lambda field: datetime.now(UTC) - MOMENT,
    "EmailField": lambda field: f"somebody{next(NUMBERS)}@valat.example",
    "FloatField": lambda field: 1 / 3,
    "GenericIPAddressField": lambda field: "2001:db8::1",
    "IntegerField": lambda field: -next(NUMBERS),
    "JSONField": lambda field: {"ž": [1, 0.1, None, True]},
    "PositiveIntegerField": lambda field: next(NUMBERS),
    "PositiveSmallIntegerField": lambda field: 1,
    "SmallIntegerField": lambda field: -1,
    "TextField": lambda field: "Ž\n–\t“ж”" * 100,
    "UUIDField": lambda field: UUID(int=next(NUMBERS)),
    "URLField": lambda field: "https://valat.example/ž",
}

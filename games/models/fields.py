"""Fields of moves: short in the database, in Python what they always were.

A process of the version before writes moves longer and reads none of the short ones; here both are read. The next
version may leave the long ones out, with the column `move`, once a migration has packed what is left of them.
"""

import json

from django.db import models
from django.db.models.lookups import In

from games.kit.packing import Damaged, pack, unpack


class PackedMove(models.Field):
    """A move, a value of JSON, packed. {}, which no rules take for a move, where what is stored can't be read."""

    LONG = "move"  # the column that older versions write, as JSON; there is no short one then

    def get_internal_type(self):
        return "BinaryField"

    def get_prep_value(self, value):
        return None if value is None else pack(value)

    def from_db_value(self, value, expression, connection):
        if value is None:
            return None
        try:
            return unpack(value.encode() if isinstance(value, str) else value)  # SQLite has JSON as text
        except Damaged:
            return {}

    def to_python(self, value):
        """Read what value_to_string wrote: fixtures hold a move as JSON in a string."""
        return json.loads(value) if isinstance(value, str) else value

    def value_to_string(self, obj):
        return json.dumps(self.value_from_object(obj))

    def select_format(self, compiler, sql, params):
        """What is read in place of the column: the long one where it is empty."""
        long = f"{sql.rpartition('.')[0]}.{compiler.quote_name(self.LONG)}"
        if compiler.connection.vendor == "postgresql":
            long = f"convert_to({long}::text, 'UTF8')"
        return f"COALESCE({sql}, {long})", params

    def get_lookup(self, lookup_name):
        """Moves are looked for by their place, never by what they are: there are two ways to write one."""
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None


class Letter(models.CharField):
    """One of some words, each a letter in the database, or, in rows that an older version wrote, written out."""

    def __init__(self, *args, letters, **kwargs):
        """letters: by word."""
        self.letters = letters
        self.words = {letter: word for word, letter in letters.items()}
        super().__init__(*args, **kwargs)

    def deconstruct(self):
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, kwargs | {"letters": self.letters}

    def get_prep_value(self, value):
        return self.letters.get(value, value)

    def from_db_value(self, value, expression, connection):
        return self.words.get(value, value)


@Letter.register_lookup
class _Among(In):
    """Whether it is one of these words, however they are written."""

    prepare_rhs = False

    def __init__(self, lhs, rhs):
        letter = lhs.output_field.get_prep_value
        super().__init__(lhs, [spelling for word in rhs for spelling in (letter(word), str(word))])


@Letter.register_lookup
class _Is(_Among):
    lookup_name = "exact"

    def __init__(self, lhs, rhs):
        super().__init__(lhs, [rhs])

"""What the admin calls models and their fields, where the words are to be translated.

Names given in a model would be part of its migrations; those given here are not.
"""

from typing import Any

from django.db.models import Model


def label(model: type[Model], one: Any, many: Any, **fields: Any) -> None:
    """Call a model and its fields by these words, lazily translated. Before forms are made of the model.

    one, many: the model's name within a sentence. fields: by their names.
    """
    model._meta.verbose_name, model._meta.verbose_name_plural = one, many
    for name, words in fields.items():
        model._meta.get_field(name).verbose_name = words

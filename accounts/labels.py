"""What the admin calls models and their fields, where the words are to be translated.

Names given in a model would be part of its migrations; those given here are not.
"""

from django.db.models import Model
from django.utils.translation import gettext_lazy


def label(model: type[Model], one: str, many: str, *fields: str, **others: object) -> None:
    """Call a model and its fields by these words, which are translated. Before forms are made of the model.

    one, many: the model's name within a sentence. fields: by the words that their names are made of. others: lazy words
    of fields that are called something else.
    """
    model._meta.verbose_name, model._meta.verbose_name_plural = gettext_lazy(one), gettext_lazy(many)
    names = [field.replace(" ", "_") for field in fields]
    for name, words in {**dict(zip(names, map(gettext_lazy, fields), strict=True)), **others}.items():
        model._meta.get_field(name).verbose_name = words

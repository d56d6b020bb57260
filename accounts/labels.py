"""Translated names of models and fields for the admin.

Names in a model's class would be part of its migrations. Names set here are not.
"""

from django.db.models import Model
from django.utils.translation import gettext_lazy


def label(model: type[Model], singular: str, plural: str, *fields: str, **labels: object) -> None:
    """Set the names of a model and its fields in the admin. Call this before a form of the model is created.

    fields: labels like "read at", for the field "read_at". labels: lazy texts of fields with another label, by field.
    """
    model._meta.verbose_name, model._meta.verbose_name_plural = gettext_lazy(singular), gettext_lazy(plural)
    label_by_name = {words.replace(" ", "_"): gettext_lazy(words) for words in fields} | labels
    for name, text in label_by_name.items():
        model._meta.get_field(name).verbose_name = text

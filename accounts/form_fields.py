"""The renderer of all forms: after a refused form, the first field with an error has the focus, so it is in sight."""

from typing import Any

from django.forms import BoundField
from django.forms.renderers import TemplatesSetting
from django.forms.widgets import Widget


class FocusedField(BoundField):
    """A field that browsers focus, and scroll to, if it is the first with an error."""

    def build_widget_attrs(self, attrs: dict[str, Any], widget: Widget | None = None) -> dict[str, Any]:
        attrs = super().build_widget_attrs(attrs, widget)
        if self.name == next((name for name in self.form.fields if name in self.form.errors), None):
            attrs["autofocus"] = True
        return attrs


class FormRenderer(TemplatesSetting):
    bound_field_class = FocusedField

"""What figures count, in templates: {% load units %} and {{ "2.5"|of_unit:"stone" }}."""

from django import template

from games.kit import facts

register = template.Library()


@register.filter
def of_unit(figure, unit):
    """A figure, as it is to be written, with what it counts: of games.kit.facts.COUNTED."""
    return facts.of_unit(int(figure) if str(figure).isdecimal() else 0.5, unit, str(figure))

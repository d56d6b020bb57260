"""Templates that are rendered several times a move, each compiled to one Python function.

Django walks a tree of nodes each time; here it is walked once for each language, and what `translate` says is looked up
then. What this module does not know of is left to Django, node by node, so that any template comes out as by Django.
`whole` says where the lines of such templates may be broken.
"""

import html
import operator
import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

from django.conf import settings
from django.template import Context, Template
from django.template.base import FilterExpression, Node, TextNode, Variable, VariableNode, render_value_in_context
from django.template.defaulttags import ForNode, IfNode, LoadNode, TemplateLiteral, WithNode
from django.template.loader import get_template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.templatetags.static import StaticNode, static
from django.utils.safestring import SafeString

from games.kit.language import Lazy, form_of, kept, said, said_in
from games.kit.markup import Markup

EXTENDS = re.compile(r'{% extends "(.*?)" %}')
BLOCK = re.compile(r"{% block (\w+) %}(.*?){% endblock %}", re.DOTALL)  # none within another
INCLUDE = re.compile(r'{% include "(.*?)"(?: (with .*?))? %}')


def render(name: str, context: dict[str, Any], within: str | None = None) -> SafeString:
    """A template as HTML, without what Django does for context processors. within: as for `whole`."""
    make = compiled if settings.DEBUG else _kept
    return make(name, within)(context)


def compiled(name: str, within: str | None = None) -> Callable[[dict[str, Any]], SafeString]:
    """The function that renders a template in the language spoken now, given its context. within: as for `whole`."""
    return _Source(whole(name, within)).function()


_kept = kept(100)(compiled)  # there are fewer


def whole(name: str, within: str | None = None) -> Template:
    """A template in one piece, with all that it extends and includes.

    within: a template that is filled with its blocks in place of the one that it extends.

    White space with a line break in it is left out between two tags, of HTML or of templates, and is one space
    elsewhere. So lines may be broken between tags, and a space that shows there stands within a line. No <pre> here.
    """
    found = get_template(name).template
    between_tags = re.sub(r"(?<=[>}])\s*\n\s*(?=[<{])", "", _whole_text(name, within=within))
    return Template(re.sub(r"\s*\n\s*", " ", between_tags), found.origin, name, found.engine)


def _whole_text(name: str, blocks: dict[str, str] | None = None, within: str | None = None) -> str:
    """blocks: by name, what a template that extends this one has in place of its blocks. within: as for `whole`."""
    text, blocks = get_template(name).template.source, blocks or {}
    extends = EXTENDS.search(text)
    base = within or (extends[1] if extends else None)
    if base:
        return _whole_text(base, dict(BLOCK.findall(text)) | blocks)
    in_place = BLOCK.sub(lambda block: blocks.get(block[1], block[2]), text)
    return INCLUDE.sub(_included, in_place).strip()


def _included(include: re.Match[str]) -> str:
    text = _whole_text(include[1])
    return f"{{% {include[2]} %}}{text}{{% endwith %}}" if include[2] else text


# From nodes to Python


class _Source:
    """The source of the function that renders a template, and the objects that it refers to."""

    def __init__(self, template: Template):
        self._lines = ["def rendered(context):", "    out = []", "    write = out.append"]
        self._objects: dict[str, Any] = dict(CALLED)
        self._indent = 1
        self._nodes(template.nodelist, {})
        self._line("return SafeString(''.join(out))")

    def function(self) -> Callable[[dict[str, Any]], SafeString]:
        """The function, made of the source."""
        exec("\n".join(self._lines), self._objects)
        made: Callable[[dict[str, Any]], SafeString] = self._objects["rendered"]
        return made

    def _line(self, line: str) -> None:
        self._lines.append("    " * self._indent + line)

    def _name_of(self, thing: Any) -> str:
        name = f"object_{len(self._objects)}"
        self._objects[name] = thing
        return name

    def _block(self, head: str, nodes: Any, names: dict[str, str]) -> None:
        self._line(head)
        self._indent += 1
        self._nodes(nodes, names)
        self._line("pass")
        self._indent -= 1

    def _nodes(self, nodes: Any, names: dict[str, str]) -> None:
        """names: the Python names of what `with` and `for` have named so far; all else is in the context."""
        for node in nodes:
            match node:
                case LoadNode():
                    pass
                case TextNode():
                    self._line(f"write({node.s!r})")
                case VariableNode() if _is_plain(node.filter_expression):
                    self._line(f"write(text({self._value(node.filter_expression, names)}))")
                case WithNode() if all(map(_is_plain, node.extra_context.values())):
                    self._with(node, names)
                case ForNode() if _is_plain(node.sequence):
                    self._for(node, names)
                case IfNode():
                    self._if(node, names)
                case StaticNode() if node.varname is None and _is_text(node.path):
                    self._line(f"write(address_of({node.path.var!r}))")
                case TranslateNode() if node.asvar is None and _is_literal(node.filter_expression):
                    self._line(f"write({_said_by(node)!r})")
                case BlockTranslateNode() if node.asvar is None and all(map(_is_plain, _expressions(node))):
                    self._sentence(node, names)
                case _:
                    known = ", ".join(f"{name!r}: {python}" for name, python in names.items())
                    self._line(f"write(by_django({self._name_of(node)}, context, {{{known}}}))")

    def _with(self, node: WithNode, names: dict[str, str]) -> None:
        inner = dict(names)
        for name, expression in node.extra_context.items():
            inner[name] = f"{name}_{len(self._lines)}"
            self._line(f"{inner[name]} = found({self._value(expression, names)}, '')")
        self._nodes(node.nodelist, inner)

    def _sentence(self, node: BlockTranslateNode, names: dict[str, str]) -> None:
        """A sentence with its places, in the form that goes with a number if there is one."""
        values = {name: self._value(expression, names) for name, expression in node.extra_context.items()}
        message, places = node.render_token_list(node.singular)
        context = node.message_context.resolve({}) if node.message_context else ""
        if node.countervar:
            many, more = node.render_token_list(node.plural)
            values[node.countervar] = self._value(node.counter, names)
            places += more
            form = f"form_of(found({values[node.countervar]}, 0), {message!r}, {many!r}, {context!r})"
        else:
            many, form = message, repr(_translated(message, context))
        filled = {place: f"text({values.get(place) or self._looked_up(place, names)})" for place in places}
        given = ", ".join(f"{place!r}: {value}" for place, value in filled.items())
        self._line(f"write(filled({form}, {many!r}, {{{given}}}))")

    def _for(self, node: ForNode, names: dict[str, str]) -> None:
        inner = names | {name: f"{name}_{len(self._lines)}" for name in node.loopvars}
        values, loop = f"values_{len(self._lines)}", ", ".join(inner[name] for name in node.loopvars)
        self._line(f"{values} = listed({self._value(node.sequence, names)})")
        if node.is_reversed:
            self._line(f"{values} = {values}[::-1]")
        if _counts(node):
            inner["forloop"] = f"forloop_{len(self._lines)}"
            head = f"for {inner['forloop']}, {loop if len(node.loopvars) == 1 else f'({loop})'} in counted({values}):"
        else:
            head = f"for {loop} in {values}:"
        self._block(head, node.nodelist_loop, inner)
        if node.nodelist_empty:
            self._block(f"if not {values}:", node.nodelist_empty, names)

    def _if(self, node: IfNode, names: dict[str, str]) -> None:
        word = "if"
        for condition, nodes in node.conditions_nodelists:
            head = "else:" if condition is None else f"{word} {self._condition(condition, names)}:"
            self._block(head, nodes, names)
            word = "elif"

    def _condition(self, condition: Any, names: dict[str, str]) -> str:
        if isinstance(condition, TemplateLiteral):
            if _is_plain(condition.value):
                return f"found({self._value(condition.value, names)})"
        elif condition.id in ("and", "or"):
            left, right = (self._condition(part, names) for part in (condition.first, condition.second))
            return f"({left} {condition.id} {right})"
        elif condition.id == "not":
            return f"(not {self._condition(condition.first, names)})"
        elif condition.id in _COMPARISONS:
            left, right = (self._condition(part, names) for part in (condition.first, condition.second))
            return f"compared({self._name_of(_COMPARISONS[condition.id])}, {left}, {right})"
        raise NotImplementedError(f"No template of a table may ask for {condition!r}.")

    @staticmethod
    def _looked_up(name: str, names: dict[str, str]) -> str:
        """The Python expression of a name: that of a loop or a `with` around it, by `names`, else of the context."""
        return names.get(name) or f"context.get({name!r}, NONE)"

    def _value(self, expression: FilterExpression, names: dict[str, str]) -> str:
        """The Python expression of a plain one; it is NONE where there is no such thing."""
        variable = expression.var
        if not isinstance(variable, Variable):
            return self._name_of(variable)  # a text, safe as it is
        if variable.lookups is None:
            literal = variable.literal
            if variable.translate:
                literal = SafeString(_translated(literal.replace("%", "%%"), variable.message_context or ""))
            return self._name_of(literal)
        first, *others = variable.lookups
        if first == "forloop" and first not in names:
            raise NotImplementedError("No template of a table may ask this of a loop.")
        value = self._looked_up(first, names)
        for other in others:
            value = f"get({value}, {other!r})"
        return value


def _expressions(node: BlockTranslateNode) -> list[FilterExpression]:
    """What fills the places of a sentence under names of its own."""
    return [*node.extra_context.values(), *([node.counter] if node.countervar else [])]


def _said_by(node: TranslateNode) -> str:
    message = node.filter_expression.var.literal.replace("%", "%%")  # as Django writes them
    return _translated(message, node.message_context.resolve({}) if node.message_context else "").replace("%%", "%")


def _translated(message: str, context: str) -> str:
    return said_in(context, message) if context else said(message)


def _is_literal(expression: FilterExpression) -> bool:
    return not expression.filters and isinstance(expression.var, Variable) and isinstance(expression.var.literal, str)


def _is_plain(expression: FilterExpression) -> bool:
    """Whether it is a name, perhaps with dots, or a literal, perhaps translated."""
    variable = expression.var
    return not expression.filters and not (isinstance(variable, Variable) and variable.translate and variable.lookups)


def _is_text(expression: FilterExpression) -> bool:
    return not expression.filters and not isinstance(expression.var, Variable)


def _counts(node: Node) -> bool:
    """Whether a loop asks for what Django counts in it."""
    return any("forloop" in each.token.contents for each in node.get_nodes_by_type((IfNode, VariableNode, WithNode)))


# What the functions call

_NONE: Any = object()  # where a name leads to nothing
_OF_DICTS = frozenset(dir(dict))
_PLAIN = Context()
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}


def _get(value: Any, name: str) -> Any:
    """What a dot leads to, as in Django; most often it is an entry of a dict."""
    if type(value) is dict:
        entry = value.get(name, _NONE)
        if entry is not _NONE or name not in _OF_DICTS:
            return entry
    if value is _NONE:
        return value
    if isinstance(value, tuple) and not name.isdigit():
        attribute = getattr(value, name, _NONE)
        if not callable(attribute):
            return attribute
    return Variable(f"value.{name}").resolve(Context({"value": value})) if _leads(value, name) else _NONE


def _leads(value: Any, name: str) -> bool:
    if hasattr(value, name):
        return True
    try:
        value[int(name) if name.isdigit() else name]
    except (TypeError, KeyError, IndexError):
        return False
    return True


def _found(value: Any, otherwise: Any = None) -> Any:
    return otherwise if value is _NONE else value


def _text(value: Any) -> str:
    kind = type(value)
    if kind is Markup or kind is SafeString:
        return value
    if kind is str:
        return _escaped(value)
    if kind is Lazy:
        return _escaped(str(value))
    return "" if value is _NONE else str(render_value_in_context(value, _PLAIN))


_escaped = lru_cache(4096)(html.escape)  # names, and words of our own, come again and again


def _listed(values: Any) -> Any:
    if values is _NONE or values is None:
        return ()
    return values if isinstance(values, (list, tuple)) else list(values)


def _counted(values: list[Any] | tuple[Any, ...]) -> Iterator[tuple[dict[str, Any], Any]]:
    """Each value with what Django tells a loop of it, as far as tables ask."""
    for place, value in enumerate(values):
        yield {"counter": place + 1, "counter0": place, "first": not place, "last": place + 1 == len(values)}, value


def _compared(comparison: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    try:
        return comparison(left, right)
    except TypeError:  # as Django does it
        return False


@cache
def _address_of(path: str) -> str:
    """Of a static file: they stay where they are while a process runs."""
    return html.escape(static(path))


def _by_django(node: Node, context: dict[str, Any], names: dict[str, Any]) -> str:
    known = {name: value for name, value in (context | names).items() if value is not _NONE}
    in_django = Context(known)
    with in_django.bind_template(_no_template()):  # which sentences ask what stands for what is missing
        return str(node.render(in_django))


def _filled(form: str, message: str, places: dict[str, str]) -> str:
    """A form with its places filled, as Django does it: in English where the translation asks for others."""
    try:
        return form % places
    except (KeyError, ValueError, TypeError):
        return message % places


@cache
def _no_template() -> Template:
    return Template("")


CALLED = {
    "get": _get,
    "found": _found,
    "text": _text,
    "listed": _listed,
    "counted": _counted,
    "compared": _compared,
    "by_django": _by_django,
    "address_of": _address_of,
    "form_of": form_of,
    "filled": _filled,
    "SafeString": SafeString,
    "NONE": _NONE,
}

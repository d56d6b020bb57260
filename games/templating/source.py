"""Translates the nodes of a template to the source of a Python function."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.template import Template
from django.template.base import FilterExpression, Node, TextNode, Variable, VariableNode
from django.template.defaulttags import ForNode, IfNode, LoadNode, TemplateLiteral, WithNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.templatetags.static import StaticNode
from django.utils.safestring import SafeString

from games.kit.language import say, say_in
from games.kit.markup import in_ascii
from games.templating.calls import COMPARISONS, HELPERS, OF_DICTS, text

type Renderer = Callable[[Mapping[str, object]], SafeString]  # renders a template with a context


class Source:
    """The source of the function that renders a template, and the objects that it refers to.

    The function adds consecutive pieces of output in one step. Most values are entries of dicts and most texts are
    Markup, so it checks for these two cases without a call.
    """

    def __init__(self, template: Template):
        self._lines: list[str] = []
        self._unwritten: list[
            str
        ] = []  # Python expressions of the next pieces of output, with adjacent literals joined
        self._literal = ""  # the literal text after these
        self._roots: dict[str, str] = {}  # the Python names of entries of the context
        self._objects: dict[str, Any] = dict(HELPERS)
        self._constants: set[str] = set()  # the Python names of objects that are literals in the template
        self._values = 0  # the number of Python names for values so far
        self._indent = 1
        self._nodes(template.nodelist, {})
        self._line("return SafeString(''.join(out))")

    def function(self) -> Renderer:
        """Compile the function."""
        roots = [f"    {python} = context.get({name!r}, NONE)" for name, python in self._roots.items()]
        source = "\n".join(["def rendered(context):", "    out = []", *roots, *self._lines])
        exec(source, self._objects)
        renderer: Renderer = self._objects["rendered"]
        return renderer

    def _line(self, line: str) -> None:
        self._flush()
        self._lines.append("    " * self._indent + line)

    def _write(self, text: str) -> None:
        """Add HTML to the output."""
        self._literal += in_ascii(text)

    def _write_value(self, expression: str) -> None:
        """Add the value of a Python expression, a str, to the output."""
        self._end_literal()
        self._unwritten.append(expression)

    def _end_literal(self) -> None:
        if self._literal:
            self._unwritten.append(repr(self._literal))
            self._literal = ""

    def _flush(self) -> None:
        self._end_literal()
        if self._unwritten:
            values, self._unwritten = ", ".join(self._unwritten), []
            self._lines.append("    " * self._indent + f"out += ({values},)")

    def _add_object(self, thing: object) -> str:
        """Return a new Python name for an object that the source refers to."""
        name = f"object_{len(self._objects)}"
        self._objects[name] = thing
        return name

    def _add_constant(self, thing: object) -> str:
        name = self._add_object(thing)
        self._constants.add(name)
        return name

    def _new_name(self) -> str:
        self._values += 1
        return f"value_{self._values}"

    def _block(self, head: str, nodes: Iterable[Node], names: dict[str, str]) -> None:
        """Add a line that ends with a colon, and the nodes as the block below it."""
        self._line(head)
        self._indent += 1
        self._nodes(nodes, names)
        self._line("pass")
        self._indent -= 1

    def _nodes(self, nodes: Iterable[Node], names: dict[str, str]) -> None:
        """Translate nodes one by one. names: the Python names of the variables of `with` and `for` around them."""
        for node in nodes:
            if not isinstance(node, LoadNode):
                self._node(node, names)

    def _node(self, node: Node, names: dict[str, str]) -> None:
        match node:
            case TextNode():
                self._write(node.s)
            case VariableNode() if _is_plain(node.filter_expression):
                self._write_printed(self._value(node.filter_expression, names))
            case WithNode() if all(map(_is_plain, node.extra_context.values())):
                self._with(node, names)
            case ForNode() if _is_plain(node.sequence):
                self._for(node, names)
            case IfNode():
                self._if(node, names)
            case StaticNode() if node.varname is None and _is_text(node.path):
                self._write_value(f"address_of({node.path.var!r})")
            case TranslateNode() if node.asvar is None and _is_literal(node.filter_expression):
                self._write(_translation_of(node))
            case BlockTranslateNode() if node.asvar is None and all(map(_is_plain, _expressions(node))):
                self._sentence(node, names)
            case _:
                values = ", ".join(f"{name!r}: {python}" for name, python in names.items())
                self._write_value(f"by_django({self._add_object(node)}, context, {{{values}}})")

    def _write_printed(self, value: str) -> None:
        """Add the printed value of a Python expression to the output, as literal text if it never changes."""
        if value in self._constants:
            self._write(text(self._objects[value]))
        else:
            self._write_value(self._text(value))

    def _text(self, value: str) -> str:
        """Return the Python expression for the printed form of a value."""
        name = self._new_name()
        kind = f"kind_{name}"
        plain = f"escaped({name}) if {kind} is str else text({name})"
        return f"({name} if ({kind} := type({name} := {value})) is Markup else {plain})"

    def _with(self, node: WithNode, names: dict[str, str]) -> None:
        inner = dict(names)
        for name, expression in node.extra_context.items():
            value = self._value(expression, names)
            if value in self._constants:
                inner[name] = value
                continue
            inner[name] = f"{name}_{len(self._lines)}"
            self._line(f"if ({inner[name]} := {value}) is NONE: {inner[name]} = ''")
        self._nodes(node.nodelist, inner)

    def _sentence(self, node: BlockTranslateNode, names: dict[str, str]) -> None:
        """Add a translated sentence with the values of its places, in the plural form for its number if it has one."""
        values = {name: self._value(expression, names) for name, expression in node.extra_context.items()}
        message, places = node.render_token_list(node.singular)
        context = node.message_context.resolve({}) if node.message_context else ""
        if node.countervar:
            many, more = node.render_token_list(node.plural)
            values[node.countervar] = self._value(node.counter, names)
            places += more
            form = f"plural_form(found({values[node.countervar]}, 0), {message!r}, {many!r}, {context!r})"
        else:
            many, form = message, repr(_translated(message, context))
        texts = {place: self._text(values.get(place) or self._lookup(place, names)) for place in places}
        entries = ", ".join(f"{place!r}: {value}" for place, value in texts.items())
        self._write_value(f"filled({form}, {many!r}, {{{entries}}})")

    def _for(self, node: ForNode, names: dict[str, str]) -> None:
        inner = names | {name: f"{name}_{len(self._lines)}" for name in node.loopvars}
        values, loop = f"values_{len(self._lines)}", ", ".join(inner[name] for name in node.loopvars)
        self._line(f"if type({values} := {self._value(node.sequence, names)}) is not list: {values} = listed({values})")
        if node.is_reversed:
            self._line(f"{values} = {values}[::-1]")
        if _uses_counters(node):
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
                return self._value(condition.value, names)
        elif condition.id in ("and", "or"):
            left, right = (self._condition(part, names) for part in (condition.first, condition.second))
            return f"({left} {condition.id} {right})"
        elif condition.id == "not":
            return f"(not {self._condition(condition.first, names)})"
        elif condition.id in COMPARISONS:
            left, right = (f"found({self._condition(part, names)})" for part in (condition.first, condition.second))
            return f"compared({self._add_object(COMPARISONS[condition.id])}, {left}, {right})"
        raise NotImplementedError(f"No template of a table may ask for {condition!r}.")

    def _lookup(self, name: str, names: dict[str, str]) -> str:
        """Return the Python name of a template variable: from `names`, or else from the context."""
        return names.get(name) or self._roots.setdefault(name, f"{name}_of_context")

    def _value(self, expression: FilterExpression, names: dict[str, str]) -> str:
        """Return the Python expression for a plain template expression. Its value is NONE if it does not exist."""
        variable = expression.var
        if not isinstance(variable, Variable):
            return self._add_constant(variable)  # A text, which is safe.
        if variable.lookups is None:
            literal = variable.literal
            if variable.translate:
                literal = SafeString(_translated(literal.replace("%", "%%"), variable.message_context or ""))
            return self._add_constant(literal)
        first, *others = variable.lookups
        if first == "forloop" and first not in names:
            raise NotImplementedError("No template of a table may ask this of a loop.")
        value = self._lookup(first, names)
        for other in others:
            value = self._entry(value, other)
        return value

    def _entry(self, value: str, name: str) -> str:
        """Return the Python expression for `value.name` of a template."""
        if name in OF_DICTS or name.isdigit():
            return f"get({value}, {name!r})"
        owner = value if value.isidentifier() else self._new_name()
        first_use = value if owner == value else f"({owner} := {value})"
        entry = f"({owner}[{name!r}] if {name!r} in {owner} else NONE)"
        return f"({entry} if type({first_use}) is dict else get({owner}, {name!r}))"


def _expressions(node: BlockTranslateNode) -> list[FilterExpression]:
    """Return the expressions of the values that a sentence mentions."""
    return [*node.extra_context.values(), *([node.counter] if node.countervar else [])]


def _translation_of(node: TranslateNode) -> str:
    """Return the text of a {% translate %} in the current language."""
    message = node.filter_expression.var.literal.replace("%", "%%")  # As Django's catalogs have them.
    return _translated(message, node.message_context.resolve({}) if node.message_context else "").replace("%%", "%")


def _translated(message: str, context: str) -> str:
    return say_in(context, message) if context else say(message)


def _is_literal(expression: FilterExpression) -> bool:
    return not expression.filters and isinstance(expression.var, Variable) and isinstance(expression.var.literal, str)


def _is_plain(expression: FilterExpression) -> bool:
    """Return whether an expression has no filters: a name, perhaps with dots, or a literal, perhaps translated."""
    variable = expression.var
    return not expression.filters and not (isinstance(variable, Variable) and variable.translate and variable.lookups)


def _is_text(expression: FilterExpression) -> bool:
    return not expression.filters and not isinstance(expression.var, Variable)


def _uses_counters(node: Node) -> bool:
    """Return whether anything in a loop uses `forloop`."""
    return any("forloop" in each.token.contents for each in node.get_nodes_by_type((IfNode, VariableNode, WithNode)))

"""Compiles the nodes of a template to the source of a Python function."""

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
        self._pieces: list[str] = []  # Python expressions of the next pieces of output, without adjacent literals
        self._literal = ""  # the literal text after these
        self._context_names: dict[str, str] = {}  # the Python names of entries of the context
        self._objects: dict[str, Any] = dict(HELPERS)
        self._constants: set[str] = set()  # the Python names of objects that are literals in the template
        self._name_count = 0  # of Python names for values
        self._indent = 1
        self._compile_nodes(template.nodelist, {})
        self._add_line("return SafeString(''.join(out))")

    def function(self) -> Renderer:
        """Compile the function that renders the template, and return it."""
        # The function begins by storing all entries of the context that the template uses in local variables.
        assignments = [f"    {python} = context.get({name!r}, NONE)" for name, python in self._context_names.items()]
        source = "\n".join(["def rendered(context):", "    out = []", *assignments, *self._lines])
        exec(source, self._objects)  # It contains only names and literals of our own templates.
        renderer: Renderer = self._objects["rendered"]
        return renderer

    def _add_line(self, line: str) -> None:
        """Add a line to the source, after all output so far."""
        self._flush()
        self._lines.append("    " * self._indent + line)

    def _write(self, text: str) -> None:
        """Add HTML to the output."""
        self._literal += in_ascii(text)

    def _write_value(self, expression: str) -> None:
        """Add the value of a Python expression, a str, to the output."""
        self._end_literal()
        self._pieces.append(expression)

    def _end_literal(self) -> None:
        if self._literal:
            self._pieces.append(repr(self._literal))
            self._literal = ""

    def _flush(self) -> None:
        """Add a line to the source that appends all pieces of output to `out`. Pieces are Python expressions."""
        self._end_literal()
        if self._pieces:
            values, self._pieces = ", ".join(self._pieces), []
            self._lines.append("    " * self._indent + f"out += ({values},)")

    def _add_object(self, thing: object) -> str:
        """Return a new Python name for an object. The source can use it."""
        name = f"object_{len(self._objects)}"
        self._objects[name] = thing
        return name

    def _add_constant(self, thing: object) -> str:
        name = self._add_object(thing)
        self._constants.add(name)
        return name

    def _new_name(self) -> str:
        self._name_count += 1
        return f"value_{self._name_count}"

    def _add_block(self, head: str, nodes: Iterable[Node], names: dict[str, str]) -> None:
        """Add a line that ends with a colon (`head`), such as "if x:", and the code for template nodes as its block.

        names: the Python name of each template variable that an outer tag has set.
        """
        self._add_line(head)
        self._indent += 1
        self._compile_nodes(nodes, names)
        self._add_line("pass")  # The nodes may have no output.
        self._indent -= 1

    def _compile_nodes(self, nodes: Iterable[Node], names: dict[str, str]) -> None:
        """Add the Python code for template nodes to the rendering function.

        names: the Python name of each template variable that an outer `with` or `for` tag has set.
        """
        for node in nodes:
            if not isinstance(node, LoadNode):  # {% load %} prints nothing.
                self._compile_node(node, names)

    def _compile_node(self, node: Node, names: dict[str, str]) -> None:
        """Add the Python code that prints a template node (a text, a variable or a tag) to the rendering function.

        names: the Python name of each template variable that an outer tag has set.
        """
        # A plain expression has no filters. A tag with `asvar` or `varname` sets a variable and prints nothing.
        match node:
            case TextNode():
                self._write(node.s)
            case VariableNode() if _is_plain(node.filter_expression):
                self._write_printed(self._value_of(node.filter_expression, names))
            case WithNode() if all(map(_is_plain, node.extra_context.values())):
                self._compile_with(node, names)
            case ForNode() if _is_plain(node.sequence):
                self._compile_for(node, names)
            case IfNode():
                self._compile_if(node, names)
            case StaticNode() if node.varname is None and _is_text(node.path):
                self._write_value(f"address_of({node.path.var!r})")
            case TranslateNode() if node.asvar is None and _is_literal(node.filter_expression):
                self._write(_translation_of(node))
            case BlockTranslateNode() if node.asvar is None and all(map(_is_plain, _expressions(node))):
                self._compile_sentence(node, names)
            case _:  # The code calls Django to render any other node.
                values = ", ".join(f"{name!r}: {python}" for name, python in names.items())
                self._write_value(f"by_django({self._add_object(node)}, context, {{{values}}})")

    def _write_printed(self, value: str) -> None:
        """Add the value of a Python expression to the output, as Django prints it. Constants become literal text."""
        if value in self._constants:
            self._write(text(self._objects[value]))
        else:
            self._write_value(self._printed(value))

    def _printed(self, value: str) -> str:
        """Return the Python expression for the text that Django prints for a value. value: a Python expression.

        Most values are Markup or str, so the expression checks for these types before it calls `text`. For "x" it is,
        with shorter names, "(v if (kind := type(v := x)) is Markup else escaped(v) if kind is str else text(v))".
        """
        name = self._new_name()
        kind = f"kind_{name}"
        plain = f"escaped({name}) if {kind} is str else text({name})"
        return f"({name} if ({kind} := type({name} := {value})) is Markup else {plain})"

    def _compile_with(self, node: WithNode, names: dict[str, str]) -> None:
        """Add the Python code for a {% with %} to the rendering function. A missing value becomes "", as in Django.

        names: the Python name of each template variable that an outer tag has set.
        """
        inner_names = dict(names)
        for name, expression in node.extra_context.items():
            value = self._value_of(expression, names)
            if value in self._constants:  # A constant has a Python name already.
                inner_names[name] = value
                continue
            python = inner_names[name] = f"{name}_{len(self._lines)}"  # The number of the line makes it unique.
            self._add_line(f"if ({python} := {value}) is NONE: {python} = ''")
        self._compile_nodes(node.nodelist, inner_names)

    def _compile_sentence(self, node: BlockTranslateNode, names: dict[str, str]) -> None:
        """Add the Python code for a {% blocktranslate %} to the rendering function.

        The text is translated now, unless its plural form depends on a number.
        names: the Python name of each template variable that an outer tag has set.
        """
        # The Python expression for each variable that the tag itself sets.
        values = {name: self._value_of(expression, names) for name, expression in node.extra_context.items()}
        # Django writes the places of a message as %(name)s, and lists their names.
        message, places = node.render_token_list(node.singular)
        context = node.message_context.resolve({}) if node.message_context else ""
        if node.countervar:  # The compiled code chooses the plural form, by the value of this variable.
            many, places_of_plural = node.render_token_list(node.plural)
            values[node.countervar] = self._value_of(node.counter, names)
            places += places_of_plural
            form = f"plural_form(found({values[node.countervar]}, 0), {message!r}, {many!r}, {context!r})"
        else:
            many, form = message, repr(_in_language(message, context))
        # `filled` puts the printed values into the places of `form`, or of `many` if the translation is faulty.
        texts = {place: self._printed(values.get(place) or self._lookup(place, names)) for place in places}
        entries = ", ".join(f"{place!r}: {value}" for place, value in texts.items())
        self._write_value(f"filled({form}, {many!r}, {{{entries}}})")

    def _compile_for(self, node: ForNode, names: dict[str, str]) -> None:
        """Add the Python code for a {% for %}, with its {% empty %}, to the rendering function.

        The source computes `forloop` only if something in the loop uses it.
        names: the Python name of each template variable that an outer tag has set.
        """
        line = len(self._lines)  # It makes the Python names of this loop unique.
        inner_names = names | {name: f"{name}_{line}" for name in node.loopvars}
        values, variables = f"values_{line}", ", ".join(inner_names[name] for name in node.loopvars)
        sequence = self._value_of(node.sequence, names)
        self._add_line(f"if type({values} := {sequence}) is not list: {values} = listed({values})")
        if node.is_reversed:
            self._add_line(f"{values} = {values}[::-1]")
        if _uses_counters(node):
            counters = inner_names["forloop"] = f"forloop_{line}"
            # `counted` yields pairs of `forloop` and a value, which is a tuple if the loop has several variables.
            value = variables if len(node.loopvars) == 1 else f"({variables})"
            head = f"for {counters}, {value} in counted({values}):"
        else:
            head = f"for {variables} in {values}:"
        self._add_block(head, node.nodelist_loop, inner_names)
        if node.nodelist_empty:
            self._add_block(f"if not {values}:", node.nodelist_empty, names)

    def _compile_if(self, node: IfNode, names: dict[str, str]) -> None:
        """Add the Python code for an {% if %}, with its {% elif %} and {% else %}, to the rendering function.

        names: the Python name of each template variable that an outer tag has set.
        """
        word = "if"
        for condition, nodes in node.conditions_nodelists:
            head = "else:" if condition is None else f"{word} {self._condition(condition, names)}:"
            self._add_block(head, nodes, names)
            word = "elif"

    def _condition(self, condition: Any, names: dict[str, str]) -> str:
        """Return the Python expression for the condition of an {% if %}, or for a part of it.

        names: the Python name of each template variable that an outer tag has set.
        """
        if isinstance(condition, TemplateLiteral):
            if _is_plain(condition.value):
                return self._value_of(condition.value, names)
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
        return names.get(name) or self._context_names.setdefault(name, f"{name}_of_context")

    def _value_of(self, expression: FilterExpression, names: dict[str, str]) -> str:
        """Return the Python expression for a template expression without filters: a literal, or names with dots.

        Its value is NONE if the name does not exist when the template is rendered.
        names: the Python name of each template variable that an outer tag has set.
        """
        variable = expression.var
        if not isinstance(variable, Variable):  # A text: "seat" or, with a translation, _("Last trick")
            return self._add_constant(variable)
        if variable.lookups is None:  # A number.
            return self._add_constant(variable.literal)
        first, *others = variable.lookups  # "player.name" has the parts "player" and "name".
        if first == "forloop" and first not in names:  # This loop was compiled without its counters.
            raise NotImplementedError("No template of a table may ask this of a loop.")
        value = self._lookup(first, names)
        for other in others:
            value = self._entry_of(value, other)
        return value

    def _entry_of(self, value: str, name: str) -> str:
        """Return the Python expression for `value.name` of a template. value: a Python expression.

        Most often the value is a dict when the template is rendered. The expression then looks the key up by itself,
        which is faster. For any other value it calls `get`, which looks it up as Django does. An example, for "x.y":
        "((x['y'] if 'y' in x else NONE) if type(x) is dict else get(x, 'y'))".
        """
        if name in OF_DICTS or name.isdigit():  # A method of dicts, such as "items", or an index.
            return f"get({value}, {name!r})"
        # The expression uses the value several times. So it stores the value under a name, unless it has one already.
        owner = value if value.isidentifier() else self._new_name()
        first_use = value if owner == value else f"({owner} := {value})"
        entry = f"({owner}[{name!r}] if {name!r} in {owner} else NONE)"
        return f"({entry} if type({first_use}) is dict else get({owner}, {name!r}))"


def _expressions(node: BlockTranslateNode) -> list[FilterExpression]:
    """Return the expressions of the values that a sentence mentions."""
    return [*node.extra_context.values(), *([node.counter] if node.countervar else [])]


def _translation_of(node: TranslateNode) -> str:
    """Return the text of a {% translate %} in the current language."""
    message = node.filter_expression.var.literal.replace("%", "%%")  # Django's catalogs write "%" as "%%".
    context = node.message_context.resolve({}) if node.message_context else ""
    return _in_language(message, context).replace("%%", "%")


def _in_language(message: str, context: str) -> str:
    return say_in(context, message) if context else say(message)


def _is_literal(expression: FilterExpression) -> bool:
    return not expression.filters and isinstance(expression.var, Variable) and isinstance(expression.var.literal, str)


def _is_plain(expression: FilterExpression) -> bool:
    """Return whether an expression has no filters: a name, perhaps with dots, or a literal, perhaps translated."""
    return not expression.filters


def _is_text(expression: FilterExpression) -> bool:
    return not expression.filters and not isinstance(expression.var, Variable)


def _uses_counters(node: Node) -> bool:
    """Return whether anything in a loop uses `forloop`."""
    return any("forloop" in each.token.contents for each in node.get_nodes_by_type((IfNode, VariableNode, WithNode)))

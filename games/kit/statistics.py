"""Parts that the statistics of several games are made of."""

from games.kit.contract import Figure, Line


def every(facts):
    """Whatever the facts are."""
    return True


def number(head, holds=every):
    """A Figure: how many deals there are, or how many of them in which something holds."""
    return Figure(head, "number", holds)


def share(head, holds):
    """A Figure: in what share of the deals something holds."""
    return Figure(head, "share", holds)


def mean(head, fact="points"):
    """A Figure: the mean of a fact."""
    return Figure(head, "mean", every, fact)


def has(key, *values):
    """What holds of facts if that of this key has one of these values."""
    return lambda facts: facts[key] in values


def lines(key, words):
    """A Line for each value of a fact. words: {value: what it is called}."""
    return tuple(Line(head, has(key, value)) for value, head in words.items())

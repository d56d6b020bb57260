"""Rules that are divided into modules, one for each role."""

from abc import update_abstractmethods


def made_of(*modules):
    """A class decorator: what a class of `Rules` lacks are the functions of the same names in these modules."""

    functions = {name: value for module in modules for name, value in vars(module).items()}

    def put_together(rules):
        for name in rules.__abstractmethods__ & functions.keys():
            setattr(rules, name, staticmethod(functions[name]))
        return update_abstractmethods(rules)  # what is missing even so is named when the rules are made

    return put_together

"""The coach of Bleven: how many tricks a field wins, how often a prediction comes true, how often to do what."""

from random import Random

from games.bleven import coach_words as words
from games.bleven.bot import RIGHT, believed, promise, read_table, worth
from games.bleven.brain import WORLDS
from games.bleven.mixed import solved_shares
from games.bleven.pairs import odds_of
from games.bleven.rules.pack import POWER
from games.bleven.rules.state import ENOUGH
from games.bleven.table.stakes import own_sum
from games.kit.coach import Coach, decimal


class BlevenCoach(Coach):
    """For two and four seats and all options. Its figures are chances: nothing is tried out, so none are compared."""

    unit = words.UNIT
    meaning = words.MEANING

    def advice(self, move):
        return words.advice(move)

    def name(self, move):
        return words.name(move)

    def amount(self, number):
        return words.stones(decimal(number))

    def reasons(self, table, move):
        position, odds = _odds(table, move)
        if position.short and table["phase"] != "discard":
            return [words.short(own_sum(table), ENOUGH)]
        found = [words.tricks(table["seats"] == 4, list(map(_percent, _chances(odds))))]
        if "tricks" in move:
            found.append(words.own_comes_true(_percent(_chances(odds)[move["tricks"]])))
        elif position.prediction and move["type"] != "discard":
            declared = odds if position.declaring else odds[::-1]
            found.append(words.comes_true(_percent(_chances(declared)[position.prediction[0]])))
        share = _share(table, move)
        return [*found, words.of_solved(_percent(share))] if share else found

    def knew(self, table, worlds):
        return words.knew(len(table["hand"]))

    def uncompared(self, table, move):
        share = _share(table, move)
        if share:
            return words.drew(_percent(share))
        position, odds = _odds(table, move)
        if table["phase"] == "discard":
            return words.KEPT
        if table["phase"] in ("turn", "poll"):
            return words.SHORT if position.short else words.promised(decimal(promise(odds)))
        return words.promises(decimal(worth(position, odds, move)))


def _odds(table, move):
    """(the `Position`, by the set of tricks won its chance): after a card is thrown away, those of what is left."""
    position = read_table(table)
    field = position.hand
    if move["type"] == "discard":
        field = tuple(card for card in field if card != POWER[move["card"]])
    (odds,) = odds_of(position, [field], Random(0), WORLDS)
    return position, believed(position, odds)


def _chances(odds):
    """By a number of tricks the chance to win just as many."""
    return [sum(chance for chance, right in zip(odds, rights, strict=True) if right) for rights in RIGHT]


def _share(table, move):
    """How often the solved strategy makes this move with such a field; 0 where it has nothing to say."""
    return sum(share for choice, share in solved_shares(table) if choice == move)


def _percent(chance):
    return round(100 * chance)


COACH = BlevenCoach()

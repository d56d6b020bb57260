"""The coach of Bleven, which explains moves, and the analyst, which judges them.

The analyst also excuses moves for reasons that play-outs cannot show.
"""

from collections.abc import Mapping, Sequence
from random import Random

from games.bleven.bot import (
    IS_RIGHT,
    Odds,
    Situation,
    adjust_for_claim,
    best_points,
    expected_stones,
    margin_for_declaring,
    margin_for_staying,
    read_table,
    values_of_discards,
)
from games.bleven.brain import WORLDS, BlevenBrain, estimates, is_alike, shares_in_strategy
from games.bleven.endgame import worths
from games.bleven.hard import HARD_RULE, thresholds_of
from games.bleven.mixed import solved_shares
from games.bleven.pairs import odds_of
from games.bleven.rules.pack import POWER
from games.bleven.rules.shapes import Table
from games.bleven.rules.state import MIN_SUM, State
from games.bleven.simulation import Field, World, as_plain, read_world, stones_of, with_hidden_cards
from games.bleven.table.stakes import own_sum
from games.bleven.table.words import prediction_words, stone_words, trick_words
from games.kit.analysis import Analyst, Effort, Scale
from games.kit.coach import Coach, decimal
from games.kit.contract import Card, Move
from games.kit.language import lazy, lazy_all, say, say_count
from games.kit.tricks import Play
from games.kit.words import SUBJECT_CARDS, THE_CARDS, count_tenths, tenths

ROUGH = 0.1  # With four seats estimates may be wrong by this share of the stones at stake.
DOUBT = 1.0  # A field speaks clearly if it promises this many points more or less than the rule of thumb asks.
JUDGED = lazy(
    "Stones: the side’s lead in this round. The standing of the match does not count. A bluff "
    "costs nothing here if a perfect player would sometimes make it."
)
BLUFF = 20  # A prediction that comes true less often than this, in percent, is a bluff.

# By the type of a move, with a suffix if it adds stones or names tricks: the advice, and the name within a sentence.
_ADVICE = lazy_all(
    {
        "discard": "Discard the {card}.",
        "predict": "Bet {stones} on {prediction}.",
        "predict again": "Now predict {prediction}.",
        "predict again for stones": "Bet {stones} more, now on {prediction}.",
        "draw": "Draw a card.",
        "declare": "Declare.",
        "stay": "Stay.",
        "leave": "Leave the round.",
        "deduce": "Believe it (deduce).",
        "suspect": "Doubt it (suspect).",
        "accept": "Accept the raise.",
        "in": "Stay in.",
        "out": "Go out.",
        "pass": "Pass.",
        "deduce for stones": "Believe it (deduce) and raise by {stones}.",
        "suspect for stones": "Doubt it (suspect) and raise by {stones}.",
        "side_bet for stones": "Make a side bet of {stones}.",
    }
)
_NAMES = lazy_all(
    {
        "discard": "discarding the {card}",
        "predict": "a bet of {stones} on {prediction}",
        "predict again": "predicting {prediction}",
        "predict again for stones": "betting {stones} more, now on {prediction}",
        "draw": "drawing a card",
        "declare": "declaring",
        "stay": "staying",
        "leave": "leaving the round",
        "deduce": "believing it",
        "suspect": "doubting it",
        "accept": "accepting the raise",
        "in": "staying in",
        "out": "going out",
        "pass": "passing",
        "deduce for stones": "believing it and raising by {stones}",
        "suspect for stones": "doubting it and raising by {stones}",
        "side_bet for stones": "a side bet of {stones}",
    }
)


class BlevenCoach(Coach[Table]):
    """The coach for two and four seats and all options. It names chances and compares no results of play-outs."""

    unit = lazy("Stones on average")
    meaning = lazy("Stones: what the side wins by this round.")

    def advice(self, move: Move) -> str:
        return _of_move(move, _ADVICE)

    def name(self, move: Move) -> str:
        return _of_move(move, _NAMES)

    def amount(self, number: float) -> str:
        return count_tenths(number, "{number} stone", "{number} stones")

    def reasons(self, table: Table, move: Move) -> list[str]:
        """Return the sentences for a move: the chances of tricks and of the prediction, and how perfect players move.

        A prediction says how many tricks a side will win. table: the view of the seat to move.
        """
        situation, odds = _odds_after(table, move)
        # With less than 15 one wins no trick. Before a discard the hand has four cards, so its sum says nothing.
        if situation.is_short and table["phase"] != "discard":
            sentence = "Your field adds up to {total}, and with less than {enough} you take no trick."
            return [say(sentence, total=own_sum(table), enough=MIN_SUM)]
        percents = _percents_by_tricks(odds)
        reasons = [_tricks_sentence(table["seats"] == 4, percents)]
        if "tricks" in move:  # The move is a prediction.
            reasons.append(_own_prediction_sentence(percents[move["tricks"]]))
        elif table["prediction"] and move["type"] != "discard":
            percent = _percent_of_prediction(table, move)
            reasons.append(say("The prediction comes true about {percent}% of the time.", percent=percent))
        percent = _percent(_share(table, move))  # How often perfect play makes this move. 0 also if it is not known.
        return [*reasons, _perfect_play_sentence(percent)] if percent else reasons

    def setting(self, table: Table) -> str:
        prediction = table["prediction"]
        return say("Predicted: {prediction}.", prediction=prediction_words(prediction)) if prediction else ""

    def trick(self, table: Table) -> list[Play]:
        """Return no card: tricks are not decided card by card."""
        return []

    def contrast(self, table: Table, made: Move, better: Move) -> str:
        """Compare two moves by the chances of the field, else by perfect play or by the stones that they promise."""
        return (
            self._contrast_by_chances(table, made, better)
            or self._contrast_by_strategy(table, made, better)
            or self._contrast_by_stones(table, made, better)
        )

    def _contrast_by_chances(self, table: Table, made: Move, better: Move) -> str:
        """Compare two moves by the chances of the field, as the rule of thumb does. Predictions need not be certain."""
        situation = read_table(table)
        if table["phase"] == "discard":
            return _contrast_of_discards(situation, made["card"], better["card"])
        if situation.is_short and better["type"] in GIVE_UP and made["type"] not in GIVE_UP:
            sentence = "The field adds up to {total}, and with less than {enough} it takes no trick."
            return say(sentence, total=own_sum(table), enough=MIN_SUM)
        if table["phase"] in ("turn", "poll"):
            return _contrast_of_turns(table, made["type"], better["type"])
        if "tricks" in made and "tricks" in better:
            return _contrast_of_predictions(table, made, better)
        is_about_truth = "tricks" not in better and better["type"] in ("deduce", "suspect")
        if not table["prediction"] or not is_about_truth or better["type"] == made["type"]:
            return ""
        percent = _percent_of_prediction(table, better)
        is_right = percent > 50 if better["type"] == "deduce" else percent < 50
        return say("The prediction comes true about {percent}% of the time.", percent=percent) if is_right else ""

    def _contrast_by_strategy(self, table: Table, made: Move, better: Move) -> str:
        """Say how often perfect play makes the better move, or "" if it may make the other too, or is not known."""
        share_of_made, share = shares_in_strategy(table, [made, better]) or (0.0, 0.0)
        percent = _percent(share)
        if share_of_made or not percent:
            return ""
        sentence = "With a field like this a perfect player chooses: {better} {percent}% of the time, {made} never."
        return say(sentence, better=self.name(better), percent=percent, made=self.name(made))

    def _contrast_by_stones(self, table: Table, made: Move, better: Move) -> str:
        """Say how many stones two predictions, answers or bets promise, or "" if the better one promises no more."""
        if table["phase"] in ("discard", "turn", "poll"):
            return ""
        stones_of_made, stones = estimates(table, [made, better])
        if round(stones, 1) <= round(stones_of_made, 1):
            return ""
        sentence = "Stones on average by the chances of the field: {stones} for {better}, {stones_of_made} for {made}."
        names = {"better": self.name(better), "made": self.name(made)}
        return say(sentence, stones=tenths(stones), stones_of_made=tenths(stones_of_made), **names)

    def knowledge(self, table: Table, worlds: int) -> str:
        return say_count(
            len(table["hand"]),
            "It knew its own card, all that had been thrown away or played, and what had been said.",
            "It knew its own {number} cards, all that had been thrown away or played, and what had been said.",
        )

    def reason_alone(self, table: Table, move: Move) -> str:
        """Return the one sentence that explains a bot's move. table: the view of the bot.

        Where perfect play was computed offline, a bot draws its move at random by that. Elsewhere it goes by its odds:
        the chance of each set of tricks that its side may win.
        """
        share = _share(table, move)
        if share:
            return _random_choice_sentence(_percent(share))
        situation, odds = _odds_after(table, move)
        if table["phase"] == "discard":
            return say("Of the fields that it could keep, the one left promises most.")
        # In these two phases a player draws, declares, stays or leaves. In all others it predicts, answers or bets.
        is_before_bets = table["phase"] in ("turn", "poll")
        if not is_before_bets:
            stones = self.amount(expected_stones(situation.world, odds, as_plain(move)))
            return say("By its odds this promised {stones} on average, and nothing else clearly more.", stones=stones)
        if situation.is_short:
            return say("Its field was short of {enough}, so it could not have taken a trick.", enough=MIN_SUM)
        one, many = (
            "It went by what its field promised: predictions worth {number} point on average.",
            "It went by what its field promised: predictions worth {number} points on average.",
        )
        return count_tenths(best_points(odds), one, many)


def _of_move(move: Move, sentences: Mapping[str, str]) -> str:
    """Return the sentence or phrase for a move.

    sentences: by the type of a move, with the suffix " for stones" if it adds stones to the bet. A prediction that
    replaces another has the key "predict again".
    """
    stones = stones_of(move)
    key = move["type"]
    if key != "predict":  # That is the first prediction, which needs no suffix because it always has stones.
        key = "predict again" if "tricks" in move else key
        key += " for stones" if stones else ""
    places = {"stones": stone_words(stones)}  # what the sentence may name
    if "card" in move:
        places["card"] = THE_CARDS[move["card"]]
    if "tricks" in move:
        places["prediction"] = prediction_words(move)
    return say(sentences[key], **places)


def _odds_after(table: Table, move: Move) -> tuple[Situation, Odds]:
    """Return what the seat to move knows, and its odds: the chance of each set of tricks that its side may win.

    They are for the cards that it holds after the move.
    """
    situation = read_table(table)
    cards = situation.hand
    if move["type"] == "discard":
        discard = POWER[move["card"]]  # In a situation cards are numbers, by their power.
        cards = tuple(card for card in cards if card != discard)
    (odds,) = _odds_of(situation, [cards])
    # What an opponent has said about the prediction tells something about the cards of that opponent.
    return situation, adjust_for_claim(situation.world, odds)


def _odds_of(situation: Situation, fields: Sequence[Field]) -> list[Odds]:
    return odds_of(situation, fields, Random(0), WORLDS)


def _percents_by_tricks(odds: Odds) -> list[int]:
    """Return the chance in percent of each number of tricks, from 0. odds: the chance of each set of tricks."""
    chances = [sum(chance for chance, right in zip(odds, rights, strict=True) if right) for rights in IS_RIGHT]
    return list(map(_percent, chances))


def _percent_of_prediction(table: Table, move: Move) -> int:
    """Return how often the prediction on the table comes true, in percent, by what the seat to move knows."""
    assert table["prediction"]
    situation, odds = _odds_after(table, move)
    # Odds in reverse order are the odds of the other side, because it wins the tricks that this side loses.
    odds_of_predictor = odds if situation.world.is_declaring else odds[::-1]
    return _percents_by_tricks(odds_of_predictor)[table["prediction"]["tricks"]]


def _share(table: Table, move: Move) -> float:
    """Return how often, from 0 to 1, the solved strategy makes a move with these cards; 0 where nothing is solved."""
    return sum(share for choice, share in solved_shares(table) if choice == move)


def _percent(chance: float) -> int:
    return round(100 * chance)


# Reasons for a move


def _tricks_sentence(in_pairs: bool, percents: list[int]) -> str:
    """Return the sentence about the chances of tricks.

    in_pairs: whether the player has a partner. percents: the chances to win no trick, one, two and three.
    """
    none, one, two, three = percents
    if in_pairs:
        sentence = "Your side’s chances: no trick {none}%, 1 trick {one}%, 2 tricks {two}%, all 3 tricks {three}%."
    else:
        sentence = (
            "Against all that your rival may hold, you win no trick {none}% of the time, 1 trick {one}%, 2 tricks "
            "{two}% and all 3 tricks {three}%."
        )
    return say(sentence, none=none, one=one, two=two, three=three)


def _own_prediction_sentence(percent: int) -> str:
    """Return the sentence about a player's own prediction. percent: the chance that it comes true."""
    if percent < BLUFF:
        return say("It is a bluff: it comes true only about {percent}% of the time.", percent=percent)
    return say("It comes true about {percent}% of the time.", percent=percent)


def _perfect_play_sentence(percent: int) -> str:
    """Return the sentence about perfect play, which varies its moves so that nobody can read its cards.

    percent: how often it makes this move with such cards.
    """
    if percent == 100:
        return say("With a field like this a perfect player always does this.")
    return say("With a field like this a perfect player does this {percent}% of the time, at random.", percent=percent)


def _random_choice_sentence(percent: int) -> str:
    if percent == 100:
        return say("With a field like this its strategy leaves no choice: it always does so.")
    return say("To stay unreadable it does this with such a field {percent}% of the time, at random.", percent=percent)


# Why another move is better

GIVE_UP = ("draw", "leave", "out")  # the moves that undertake nothing with the present field
TOO_WEAK = {"declare": "The field is too weak to declare.", "stay": "The field is too weak to stay."}
STRONG_ENOUGH = {"declare": "The field is strong enough to declare.", "stay": "The field is strong enough to stay."}


def _contrast_of_discards(situation: Situation, made: Card, better: Card) -> str:
    """Say how much better the field is without another card, or ""."""
    values = values_of_discards(situation.hand, lambda fields: _odds_of(situation, fields))
    (is_enough, points), (is_enough_if_better, more_points) = values[POWER[made]], values[POWER[better]]
    if is_enough_if_better and not is_enough:
        return say(
            "Without the {card} the field is short of {enough}, and takes no trick.",
            card=SUBJECT_CARDS[made],
            enough=MIN_SUM,
        )
    if more_points - points < 0.1:
        return ""
    one, many = (
        "The field promises {number} point on average without the {better}, and {less} without the {made}.",
        "The field promises {number} points on average without the {better}, and {less} without the {made}.",
    )
    places = {"less": decimal(points), "better": SUBJECT_CARDS[better], "made": SUBJECT_CARDS[made]}
    return count_tenths(more_points, one, many, **places)


def _contrast_of_turns(table: Table, made: str, better: str) -> str:
    """Say whether the field is good enough for one of two types of moves, or ""."""
    may_draw = "draw" in (made, better)
    if made in TOO_WEAK and _margin(table, made, may_draw) < 0:
        return say(TOO_WEAK[made])
    return say(STRONG_ENOUGH[better]) if better in TOO_WEAK and _margin(table, better, may_draw) > 0 else ""


def _contrast_of_predictions(table: Table, made: Move, better: Move) -> str:
    """Say how often two predictions come true, or "" if the better one does not do so more often."""
    percents = _percents_by_tricks(_odds_after(table, made)[1])
    percent, percent_of_made = percents[better["tricks"]], percents[made["tricks"]]
    if percent <= percent_of_made:
        return ""
    sentence = "It comes to {better} about {percent}% of the time, and to {made} about {percent_of_made}%."
    places = {"better": trick_words(better["tricks"]), "made": trick_words(made["tricks"])}
    return say(sentence, percent=percent, percent_of_made=percent_of_made, **places)


# The analysis


class BlevenAnalyst(Analyst[Table, State, World]):
    """The analyst for two and four seats and all options. It counts stones of the round and ignores the match score."""

    _brain: BlevenBrain
    scale = Scale(inaccuracy=0.6, mistake=1.2, blunder=2.5)
    effort = Effort(match=150_000, most=3000, open=300)

    meaning = JUDGED
    unit = "stone"
    lost = lazy("Stones lost")

    def lost_by(self, deal: str) -> str:
        return say("Stones lost by {deal}", deal=deal)

    def candidates(self, table: Table, moves: list[Move], move: Move, usual: Move) -> list[Move]:
        """Return the moves to compare with `move`, without others of the same effect. usual: the rule of thumb's."""
        candidates = self._brain.candidates(table, moves, usual)
        return [candidate for candidate in candidates if candidate == move or not is_alike(candidate, move)]

    def agrees(self, table: Table, moves: list[Move], made: Move, other: Move) -> bool:
        """Return whether `other`, which did better in play-outs, is also better than `made` by other knowledge.

        If not, `made` is no mistake. Play-outs finish the round many times, with known ways of playing for everybody,
        so bluffs look useless. The other knowledge is a strategy that was solved offline, which also bluffs. Where
        nothing is solved, it is the hard bot's rule of thumb.
        """
        shares = shares_in_strategy(table, [made, other])  # how often the strategy makes each move; empty without one
        if shares:
            share_of_made, share_of_other = shares  # A move is no mistake if the strategy ever makes it.
            return share_of_made == 0 and share_of_other > 0
        if made == HARD_RULE.choose(table, moves, Random(0)):  # The rule itself makes this move.
            return False
        match table["phase"]:
            case "discard":
                situation = read_table(table)
                # By card, what the other three are worth.
                values = values_of_discards(situation.hand, lambda fields: _odds_of(situation, fields))
                return values[POWER[other["card"]]] > values[POWER[made["card"]]]
            case "turn" | "poll":  # The player draws a card, declares, stays or leaves.
                may_draw = any(move["type"] == "draw" for move in moves)
                return _margin(table, other["type"], may_draw) > _margin(table, made["type"], may_draw)
        value_of_made, value_of_other = estimates(table, [made, other])  # in stones
        # With four seats estimates come from samples, so a small difference proves nothing.
        tolerance = ROUGH * _stake(table, made, other) if table["seats"] == 4 else 0.0
        return value_of_other > value_of_made + tolerance

    def true_world(self, table: Table, state: State) -> World:
        return with_hidden_cards(read_world(table), state)

    def solved(self, world: World, moves: list[Move]) -> list[float] | None:
        return worths(world, moves)


def _stake(table: Table, *moves: Move) -> int:
    """Return the highest stakes after one of these moves, in stones."""
    bet = table["bet"]
    return bet["offered"] + bet["side_bets"] + max(map(stones_of, moves))


def _margin(table: Table, kind: str, may_draw: bool) -> float:
    """Return by how many points the player's cards exceed what the rule of thumb asks for a type of move.

    To declare (undertake a prediction) or to stay in the round, the rule asks that the cards are worth a number of
    points, the threshold. It asks nothing to draw or to leave. A small difference counts as 0, because it speaks
    neither for nor against the move. kind: the type. may_draw: whether the player may still draw a better card.
    """
    if kind in ("draw", "leave"):
        return 0.0
    situation = read_table(table)
    world = situation.world
    if situation.is_short:  # With less than 15 in its cards a seat wins no round by tricks. Its partner still may.
        return 0.0 if world.has_partner else -1.0
    (odds,) = _odds_of(situation, [situation.hand])
    thresholds = thresholds_of(world.options)
    if kind == "declare":
        margin = margin_for_declaring(world, odds, thresholds, may_draw)
    else:
        margin = margin_for_staying(world, odds, thresholds)
    return margin if abs(margin) > DOUBT else 0.0


ANALYST = BlevenAnalyst(BlevenBrain())
COACH = BlevenCoach()

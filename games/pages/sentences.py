"""The sentences of scripts, which pages send to static/site/sentences.js.

They are grouped by part of the site. Scripts fill in the {places}. A sentence with the place {count} has a form for
each plural of the language.
"""

from collections.abc import Mapping
from typing import NamedTuple

from games.history.replay import IN_DEAL, IN_TRICK
from games.kit.language import lazy, plural_form

# An example of each plural category of browsers, valid in every language that has the category.
SAMPLES = {"one": 1, "two": 2, "few": 3, "many": 5, "other": 100}


class Forms(NamedTuple):
    """The plural forms of a sentence, with the number at {count}."""

    one: str
    many: str

    def by_category(self) -> dict[str, str]:
        """Return the forms by the plural categories of browsers: {"one": …, "other": …}."""
        forms = {category: plural_form(number, self.one, self.many) for category, number in SAMPLES.items()}
        return {category: form for category, form in forms.items() if category == "other" or form != forms["other"]}


type Sentences = Mapping[str, str | Forms | Sentences]
type JSON = str | Mapping[str, JSON]


def in_language(part: str | Forms | Sentences) -> JSON:
    """Return a lazy sentence in the language of the page, or a dict with all its sentences in it, for scripts.

    A sentence with plural forms becomes a dict, such as {"one": ..., "other": ...}.
    """
    if isinstance(part, Forms):
        return part.by_category()
    if isinstance(part, dict):
        return {key: in_language(inner) for key, inner in part.items()}
    return str(part)


SITE: Sentences = {
    "cancel": lazy("Cancel"),
    "close": lazy("Close"),
    "link_copied": lazy("Link copied"),
    "copy_address": lazy("Copy this address:"),
    "show_password": lazy("Show password"),
    "hide_password": lazy("Hide password"),
    "waiting": Forms("{count} table waits for you", "{count} tables wait for you"),
    "bell": lazy("Bell"),
    "news": Forms("{count} new", "{count} new"),
}

NOTICES: Sentences = {
    "on": lazy("On"),
    "off": lazy("Off"),
    "denied": lazy("Off: this browser blocks messages from this site. Change that in the browser’s settings."),
    "unsupported": lazy("This browser can’t do that here. It may need https, or a newer version."),
    "failed": lazy("That didn’t work: the browser gave us no address to send to. Try again later."),
}

PASSKEYS: Sentences = {
    "none_used": lazy("No passkey was used. You can try again."),
    "already_here": lazy("This passkey is already registered here. Log in with it."),
    "not_secure": lazy("Passkeys only work over https or on localhost. Open this site with https."),
    "not_by_device": lazy("This device can’t create this kind of passkey. Use another device."),
    "not_by_browser": lazy("Passkeys aren’t available in this browser. They only work over https or on localhost."),
    "failed": lazy("That didn’t work. Reload the page and try again."),
}

TABLE: Sentences = {
    # A player's next action, in place of the sentence above the hand.
    "again_to_play": lazy("Tap again to play the {card}"),
    "again_to_discard": lazy("Tap again to discard the {card}"),
    "again": lazy("Tap again: {call}"),
    "playing": lazy("Playing {card}"),
    "discarding": lazy("Discarding {card}"),
    "calling": lazy("{call}"),
    "at_your_turn": lazy("{call} as soon as it is your turn"),
    "not_yet": lazy("{call}: it is not your turn yet"),
    "undo": lazy("Undo"),
    # The same for screen readers.
    "lifted": lazy("{call}: tap again."),
    "lifted_and_would": lazy("{call}: tap again. {outcome}."),
    "chosen": lazy("{call}: chosen for your turn."),
    "no_longer_chosen": lazy("{call}: no longer chosen."),
    "not_now": lazy("Not now: {call}. {sentence}"),
    "held": lazy("{call}: Escape takes it back."),
    "taken_back": lazy("Taken back."),
    "seconds_left": Forms("{count} second left.", "{count} seconds left."),
    # Answers to keys.
    "no_card_on_table": lazy("There are no cards on the table."),
    "no_cards": lazy("You hold no cards."),
    "no_clock": lazy("No clock is running."),
    "nothing_to_bid": lazy("There is nothing to bid now."),
    "no_trick": lazy("No trick is finished yet."),
    "no_result": lazy("There is no result on the table."),
    "no_other_table": lazy("You play at no other table."),
    "lies": lazy("{who}: {card}"),
    "trick": lazy("{cards}. {winner}"),
    "no_claim": lazy("There is nothing to claim now. Play on."),
    "no_talk": lazy("There is nobody to talk to."),
    "keys_title": lazy("Keys at the table"),
    "keys": {
        "l": lazy("Last trick"),
        "t": lazy("The trick now"),
        "h": lazy("My hand"),
        "s": lazy("Score sheet"),
        "r": lazy("The last result"),
        "k": lazy("What is being played for"),
        "c": lazy("Clock"),
        "w": lazy("Whose turn it is"),
        "b": lazy("Go to the bids"),
        "p": lazy("Go to my hand"),
        "m": lazy("Talk"),
        "e": lazy("Claim the rest, or none of it"),
        "n": lazy("Continue after a result"),
        "x": lazy("The next table that waits for me"),
        "?": lazy("All keys"),
        "← →": lazy("Move from card to card (also Home and End)"),
        "Enter": lazy("Play the card or make the bid"),
        "0 – 9": lazy("Go to that bid (1 0 for 10)"),
        "Esc": lazy("Close what is open"),
    },
    # Chat.
    "says": lazy("{name}: {words}"),
    "reacts": lazy("{name} {words}"),
    "unread": Forms("Talk, {count} new line", "Talk, {count} new lines"),
    "talk": lazy("Talk"),
    # The connection.
    "lost": lazy("Reconnecting. Your cards are safe."),
    "polled": lazy("No live connection: the table updates every few seconds."),
    "gone": lazy("This match is no longer here. Go back to the lobby."),
    "cut_off": lazy("This page was disconnected for sending too much at once. Reload it to go on."),
    "back": lazy("You are back."),
    "back_after": Forms("You are back. You missed {count} move.", "You are back. You missed {count} moves."),
    "no_sheet": lazy("The score sheet can’t be loaded right now. Try again in a moment."),
    "no_last": lazy("The result can’t be loaded right now. Try again in a moment."),
    "no_why": lazy("We can’t answer that right now. Try again in a moment."),
    "no_hint": lazy("There is no hint right now. Try again in a moment."),
    "no_rules": lazy("The rules can’t be loaded right now. Try again in a moment."),
}

REPLAY: Sentences = {
    "in_deal": IN_DEAL,
    "in_trick": IN_TRICK,
    "move": lazy("{where}, {move}"),
    "title": lazy("{game}, {where}: {move}"),
    "at": lazy("{where}."),
    "view_as": lazy("View as {name}."),
    "beside": lazy("{name} next to it."),
    "times_on": lazy("Thinking times."),
    "times_off": lazy("No thinking times."),
    "open_cards": lazy("Open cards."),
    "as_known": lazy("As this seat knew it."),
    "move_link_copied": lazy("The link to this move is copied."),
    "move_link": lazy("The link to this move:"),
    "no_more_mistakes": lazy("No mistakes after this move."),
    "no_mistakes_before": lazy("No mistakes before this move."),
    # Watching together.
    "you_steer": lazy("You lead: the others see what you see."),
    "following": lazy("You follow {name}."),
    "wandering": lazy("You’re looking on your own."),
    "steerer_away": lazy("{name} steers, but is away."),
    "back_to": lazy("Back to {name}"),
    "room_lost": lazy("Reconnecting to the room."),
    "people_here": Forms("{count} is here", "{count} are here"),
    "you_in_list": lazy("{name} (you)"),
    "steers_in_list": lazy("{name} steers"),
    "watches_in_list": lazy("{name}"),
}

SHUFFLE: Sentences = {
    "right": lazy(": verified"),
    "wrong": lazy(": wrong"),
    "unknown": lazy(": nothing to compare with"),
    "not_secure": lazy(
        "Your browser checks shuffles only on pages that came over https, or from this computer itself."
    ),
    "shuffling": lazy("Shuffling every deck again…"),
    "failed": lazy("Not as promised: {failed} of {checks} checks failed. Please tell the people who run this site."),
    "as_promised": Forms(
        "All as promised: the seats and the one deck follow from the seed and the players’ shares.",
        "All as promised: the seats and all {count} decks follow from the seed and the players’ shares.",
    ),
    "fits_together": Forms(
        "It fits together: the seats and the one deck follow from the seed and the players’ shares.",
        "It fits together: the seats and all {count} decks follow from the seed and the players’ shares.",
    ),
    "share_left_out": (
        lazy(
            "This browser’s share is not in these shuffles: the server says that it came too late. Without it, your "
            "browser can’t be sure that nobody chose them."
        )
    ),
    "no_notes": (
        lazy(
            "This browser didn’t play at this table, so it can only check that the server’s figures fit "
            "together. The players’ browsers can check more."
        )
    ),
    "withheld": Forms(
        "Another player’s share came too late. Anyone who held it back on purpose could choose between {ways} "
        "ways to shuffle, and no more.",
        "{count} other players’ shares came too late. Anyone who held them back on purpose could choose "
        "between {ways} ways to shuffle, and no more.",
    ),
    "unseen": Forms(
        "This browser was not shown all that was dealt to you from deck {decks}.",
        "This browser was not shown all that was dealt to you from decks {decks}.",
    ),
}

SENTENCES = {
    "site": SITE,
    "notices": NOTICES,
    "passkeys": PASSKEYS,
    "table": TABLE,
    "replay": REPLAY,
    "shuffle": SHUFFLE,
}

"""What scripts say: every sentence of theirs, which pages hand over to static/site/sentences.js.

By the part of the site that says them; {places} are filled in by the scripts. Where a number decides between forms,
there is one for each plural form of the language, and the number is the place {count}.
"""

from typing import NamedTuple

from games.history.replay import IN_DEAL, IN_TRICK
from games.kit.language import form_of, lazily

# Of each category of numbers that a browser knows, one that every language with the category counts to it
SAMPLES = {"one": 1, "two": 2, "few": 3, "many": 5, "other": 100}


class Forms(NamedTuple):
    """The forms of a sentence that go with numbers, which stand at its {count}."""

    one: str
    many: str

    def by_category(self):
        """The forms by what browsers call the category of a number: {"one": …, "other": …}."""
        forms = {category: form_of(number, self.one, self.many) for category, number in SAMPLES.items()}
        return {category: form for category, form in forms.items() if category == "other" or form != forms["other"]}


def spoken(part):
    """What a part says, in the language that is spoken: words, forms by category, or the like in a dict."""
    if isinstance(part, Forms):
        return part.by_category()
    if isinstance(part, dict):
        return {key: spoken(each) for key, each in part.items()}
    return str(part)


SITE = {
    "cancel": lazily("Cancel"),
    "close": lazily("Close"),
    "link_copied": lazily("Link copied"),
    "copy_address": lazily("Copy this address:"),
    "show_password": lazily("Show password"),
    "hide_password": lazily("Hide password"),
    "waiting": Forms("{count} table waits for you", "{count} tables wait for you"),
}

NOTICES = {
    "on": lazily("On"),
    "off": lazily("Off"),
    "denied": lazily(
        "Off: this browser has been told to allow no messages from here. Its own settings can change that."
    ),
    "unsupported": lazily("This browser can’t do that here. It may need https, or a newer version."),
    "failed": lazily("That didn’t work: the browser gave us no address to send to. Try again later."),
}

PASSKEYS = {
    "none_used": lazily("No passkey was used. You can try again."),
    "already_here": lazily("This passkey is already registered here."),
    "not_secure": lazily("Passkeys only work over https or on localhost."),
    "not_by_device": lazily("This device can’t create this kind of passkey."),
    "not_by_browser": lazily("Passkeys aren’t available in this browser. They only work over https or on localhost."),
    "failed": lazily("That didn’t work. Reload the page and try again."),
}

TABLE = {
    # What a player is about to do, in place of the sentence above the hand
    "again_to_play": lazily("Tap again to play the {card}"),
    "again_to_discard": lazily("Tap again to discard the {card}"),
    "again": lazily("Tap again: {call}"),
    "playing": lazily("Playing {card}"),
    "discarding": lazily("Discarding {card}"),
    "calling": lazily("{call}"),
    "at_your_turn": lazily("{call} as soon as it is your turn"),
    "not_yet": lazily("{call}: it is not your turn yet"),
    "undo": lazily("Undo"),
    # The same for those who listen
    "lifted": lazily("{call}: tap again."),
    "lifted_and_would": lazily("{call}: tap again. {outcome}."),
    "chosen": lazily("{call}: chosen for your turn."),
    "no_longer_chosen": lazily("{call}: no longer chosen."),
    "not_now": lazily("Not now: {call}. {sentence}"),
    "held": lazily("{call}: Escape takes it back."),
    "taken_back": lazily("Taken back."),
    "seconds_left": Forms("{count} second left.", "{count} seconds left."),
    # Answers to keys
    "no_card_on_table": lazily("There are no cards on the table."),
    "no_cards": lazily("You hold no cards."),
    "no_clock": lazily("No clock is running."),
    "nothing_to_bid": lazily("There is nothing to bid now."),
    "no_trick": lazily("No trick is finished yet."),
    "no_result": lazily("There is no result on the table."),
    "no_other_table": lazily("You play at no other table."),
    "lies": lazily("{who}: {card}"),
    "trick": lazily("{cards}. {winner}"),
    "no_claim": lazily("There is nothing to claim now."),
    "no_talk": lazily("There is nobody to talk to."),
    "keys_title": lazily("Keys at the table"),
    "keys": {
        "l": lazily("Last trick"),
        "t": lazily("The trick now"),
        "h": lazily("My hand"),
        "s": lazily("Score sheet"),
        "r": lazily("The last result"),
        "k": lazily("What is being played for"),
        "c": lazily("Clock"),
        "w": lazily("Whose turn it is"),
        "b": lazily("Go to the bids"),
        "p": lazily("Go to my hand"),
        "m": lazily("Talk"),
        "e": lazily("Claim the rest, or none of it"),
        "n": lazily("Continue after a result"),
        "x": lazily("The next table that waits for me"),
        "?": lazily("All keys"),
        "← →": lazily("Move from card to card (also Home and End)"),
        "Enter": lazily("Play the card or make the bid"),
        "0 – 9": lazily("Go to that bid (1 0 for 10)"),
        "Esc": lazily("Close whatever is open"),
    },
    # Talk
    "says": lazily("{name}: {words}"),
    "reacts": lazily("{name} {words}"),
    "unread": Forms("Talk, {count} new line", "Talk, {count} new lines"),
    "talk": lazily("Talk"),
    # The connection
    "lost": lazily("Reconnecting. Your cards are safe."),
    "polled": lazily("No live connection: the table updates every few seconds."),
    "gone": lazily("This match is no longer here."),
    "cut_off": lazily("This page was disconnected for sending too much at once. Reload it to go on."),
    "back": lazily("You are back."),
    "back_after": Forms("You are back. You missed {count} move.", "You are back. You missed {count} moves."),
    "no_sheet": lazily("The score sheet can’t be loaded right now."),
    "no_last": lazily("The result can’t be loaded right now."),
    "no_why": lazily("We can’t answer that right now. Try again in a moment."),
    "no_hint": lazily("There is no hint right now. Try again in a moment."),
    "no_rules": lazily("The rules can’t be loaded right now."),
}

REPLAY = {
    "in_deal": IN_DEAL,
    "in_trick": IN_TRICK,
    "move": lazily("{where}, {move}"),
    "title": lazily("{game}, {where}: {move} · Valat"),
    "at": lazily("{where}."),
    "view_as": lazily("View as {name}."),
    "beside": lazily("{name} beside it."),
    "times_on": lazily("Thinking times."),
    "times_off": lazily("No thinking times."),
    "open_cards": lazily("Open cards."),
    "as_known": lazily("As this seat knew it."),
    "move_link_copied": lazily("The link to this move is copied."),
    "move_link": lazily("The link to this move:"),
    "no_more_mistakes": lazily("No mistakes after this move."),
    "no_mistakes_before": lazily("No mistakes before this move."),
    # Watching together
    "you_steer": lazily("You steer: the others see what you see."),
    "following": lazily("You follow {name}."),
    "wandering": lazily("You look around by yourself."),
    "steerer_away": lazily("{name} steers, but is away."),
    "back_to": lazily("Back to {name}"),
    "room_lost": lazily("Reconnecting to the room."),
    "people_here": Forms("{count} is here", "{count} are here"),
    "you_in_list": lazily("{name} (you)"),
    "steers_in_list": lazily("{name} steers"),
    "watches_in_list": lazily("{name}"),
}

SHUFFLE = {
    "right": lazily(": verified"),
    "wrong": lazily(": wrong"),
    "unknown": lazily(": nothing to compare with"),
    "not_secure": lazily(
        "Your browser checks shuffles only on pages that came over https, or from this computer itself."
    ),
    "shuffling": lazily("Shuffling every deck again…"),
    "failed": lazily("Not as promised: {failed} of {checks} checks failed. Please tell the host of this site."),
    "as_promised": Forms(
        "All as promised: the seats and the one deck follow from the seed and the players’ shares.",
        "All as promised: the seats and all {count} decks follow from the seed and the players’ shares.",
    ),
    "fits_together": Forms(
        "It fits together: the seats and the one deck follow from the seed and the players’ shares.",
        "It fits together: the seats and all {count} decks follow from the seed and the players’ shares.",
    ),
    "share_left_out": (
        lazily(
            "This browser’s share is not in these shuffles: the server says that it came too late. Without it, your "
            "browser can’t be sure that nobody chose them."
        )
    ),
    "no_notes": (
        lazily(
            "This browser didn’t play at this table, so it can only check that everything the server says now fits "
            "together. The browsers of those who played can check more."
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

"""What scripts say: every sentence of theirs, which pages hand over to static/site/sentences.js.

By the part of the site that says them; {places} are filled in by the scripts. Where a number decides between forms,
there is one for each plural form of the language, and the number is the place {count}.
"""

from games.history.replay import IN_DEAL, IN_TRICK

SITE = {
    "cancel": "Cancel",
    "close": "Close",
    "link_copied": "Link copied",
    "copy_address": "Copy this address:",
    "show_password": "Show password",
    "hide_password": "Hide password",
    "waiting": {"one": "{count} table waits for you", "other": "{count} tables wait for you"},
}

NOTICES = {
    "on": "On",
    "off": "Off",
    "denied": "Off: this browser has been told to allow no messages from here. Its own settings can change that.",
    "unsupported": "This browser can’t do that here. It may need https, or a newer version.",
    "failed": "That didn’t work: the browser gave us no address to send to. Try again later.",
}

PASSKEYS = {
    "none_used": "No passkey was used. You can try again.",
    "already_here": "This passkey is already registered here.",
    "not_secure": "Passkeys only work over https or on localhost.",
    "not_by_device": "This device can’t create this kind of passkey.",
    "not_by_browser": "Passkeys aren’t available in this browser. They only work over https or on localhost.",
    "failed": "That didn’t work. Reload the page and try again.",
}

TABLE = {
    # What a player is about to do, in place of the sentence above the hand
    "again_to_play": "Tap again to play the {card}",
    "again_to_discard": "Tap again to discard the {card}",
    "again": "Tap again: {call}",
    "playing": "Playing {card}",
    "discarding": "Discarding {card}",
    "calling": "{call}",
    "at_your_turn": "{call} as soon as it is your turn",
    "not_yet": "{call}: it is not your turn yet",
    "undo": "Undo",
    # The same for those who listen
    "lifted": "{call}: tap again.",
    "lifted_and_would": "{call}: tap again. {outcome}.",
    "chosen": "{call}: chosen for your turn.",
    "no_longer_chosen": "{call}: no longer chosen.",
    "not_now": "Not now: {call}. {sentence}",
    "held": "{call}: Escape takes it back.",
    "taken_back": "Taken back.",
    "seconds_left": {"one": "{count} second left.", "other": "{count} seconds left."},
    # Answers to keys
    "no_card_on_table": "There are no cards on the table.",
    "no_cards": "You hold no cards.",
    "no_clock": "No clock is running.",
    "nothing_to_bid": "There is nothing to bid now.",
    "no_trick": "No trick is finished yet.",
    "no_result": "There is no result on the table.",
    "no_other_table": "You play at no other table.",
    "lies": "{who}: {card}",
    "trick": "{cards}. {winner}",
    "no_claim": "There is nothing to claim now.",
    "no_talk": "There is nobody to talk to.",
    "keys_title": "Keys at the table",
    "keys": {
        "l": "Last trick",
        "t": "The trick now",
        "h": "My hand",
        "s": "Score sheet",
        "r": "The last result",
        "k": "What is being played for",
        "c": "Clock",
        "w": "Whose turn it is",
        "b": "Go to the bids",
        "p": "Go to my hand",
        "m": "Talk",
        "e": "Claim the rest, or none of it",
        "n": "Continue after a result",
        "x": "The next table that waits for me",
        "?": "All keys",
        "← →": "Move from card to card (also Home and End)",
        "Enter": "Play the card or make the bid",
        "0 – 9": "Go to that bid (1 0 for 10)",
        "Esc": "Close whatever is open",
    },
    # Talk
    "says": "{name}: {words}",
    "reacts": "{name} {words}",
    "unread": {"one": "Talk, {count} new line", "other": "Talk, {count} new lines"},
    "talk": "Talk",
    # The connection
    "lost": "Reconnecting. Your cards are safe.",
    "polled": "No live connection: the table updates every few seconds.",
    "gone": "This match is no longer here.",
    "cut_off": "This page was disconnected for sending too much at once. Reload it to go on.",
    "back": "You are back.",
    "back_after": {
        "one": "You are back. You missed {count} move.",
        "other": "You are back. You missed {count} moves.",
    },
    "no_sheet": "The score sheet can’t be loaded right now.",
    "no_last": "The result can’t be loaded right now.",
    "no_why": "We can’t answer that right now. Try again in a moment.",
    "no_hint": "There is no hint right now. Try again in a moment.",
    "no_rules": "The rules can’t be loaded right now.",
}

REPLAY = {
    "in_deal": IN_DEAL,
    "in_trick": IN_TRICK,
    "move": "{where}, {move}",
    "title": "{game}, {where}: {move} · Valat",
    "at": "{where}.",
    "view_as": "View as {name}.",
    "beside": "{name} beside it.",
    "times_on": "Thinking times.",
    "times_off": "No thinking times.",
    "open_cards": "Open cards.",
    "as_known": "As this seat knew it.",
    "move_link_copied": "The link to this move is copied.",
    "move_link": "The link to this move:",
    "no_more_mistakes": "No mistakes after this move.",
    "no_mistakes_before": "No mistakes before this move.",
    # Watching together
    "you_steer": "You steer: the others see what you see.",
    "following": "You follow {name}.",
    "wandering": "You look around by yourself.",
    "steerer_away": "{name} steers, but is away.",
    "back_to": "Back to {name}",
    "room_lost": "Reconnecting to the room.",
    "people_here": {"one": "{count} is here", "other": "{count} are here"},
    "you_in_list": "{name} (you)",
    "steers_in_list": "{name} steers",
    "watches_in_list": "{name}",
}

SHUFFLE = {
    "right": ": verified",
    "wrong": ": wrong",
    "unknown": ": nothing to compare with",
    "not_secure": "Your browser checks shuffles only on pages that came over https, or from this computer itself.",
    "shuffling": "Shuffling every deck again…",
    "failed": "Not as promised: {failed} of {checks} checks failed. Please tell the host of this site.",
    "as_promised": {
        "one": "All as promised: the seats and the one deck follow from the seed and the players’ shares.",
        "other": "All as promised: the seats and all {count} decks follow from the seed and the players’ shares.",
    },
    "fits_together": {
        "one": "It fits together: the seats and the one deck follow from the seed and the players’ shares.",
        "other": "It fits together: the seats and all {count} decks follow from the seed and the players’ shares.",
    },
    "share_left_out": (
        "This browser’s share is not in these shuffles: the server says that it came too late. Without it, your "
        "browser can’t be sure that nobody chose them."
    ),
    "no_notes": (
        "This browser didn’t play at this table, so it can only check that everything the server says now fits "
        "together. The browsers of those who played can check more."
    ),
    "withheld": {
        "one": "Another player’s share came too late. Anyone who held it back on purpose could choose between {ways} "
        "ways to shuffle, and no more.",
        "other": "{count} other players’ shares came too late. Anyone who held them back on purpose could choose "
        "between {ways} ways to shuffle, and no more.",
    },
    "unseen": {
        "one": "This browser was not shown all that was dealt to you from deck {decks}.",
        "other": "This browser was not shown all that was dealt to you from decks {decks}.",
    },
}

START = {"on_your_clock": "On your clock: {zone}."}

SENTENCES = {
    "site": SITE,
    "start": START,
    "notices": NOTICES,
    "passkeys": PASSKEYS,
    "table": TABLE,
    "replay": REPLAY,
    "shuffle": SHUFFLE,
}

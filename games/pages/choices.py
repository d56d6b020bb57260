"""What a visitor chose last, game by game: kept in the session, offered again."""

from games.catalog import levels_of, usual_bot

LENGTHS = "lengths"  # in the session: which format of each game was played last
LEVELS = "levels"  # and against bots of which level


def last_length(request, rules):
    """The slug of the format of the last table in this session, as far as the game still has it, else ""."""
    last = _last(request, LENGTHS, rules.slug)
    return last if rules.find_format(last) else ""


def last_level(request, game):
    """The level of the bot chosen last in this session, as far as the game still has it, else the usual one."""
    last = _last(request, LEVELS, game)
    return last if last in levels_of(game) else usual_bot(game)


def remember(request, what, game, chosen):
    """Keep what was chosen for the game of this slug. what: LENGTHS or LEVELS. chosen: "" changes nothing."""
    if chosen and _last(request, what, game) != chosen:
        request.session[what] = request.session.get(what, {}) | {game: chosen}


def _last(request, what, game):
    return request.session.get(what, {}).get(game, "")

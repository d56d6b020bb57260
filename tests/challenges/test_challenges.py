"""The same cards at other tables: challenges, and their travellers."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.people import ties
from games.challenges import challenges, days, playing_on, settling
from games.challenges.models import Challenge, ChallengePlay, DailySeed, SeenMatch
from games.challenges.par import par_of, store_next_par
from games.chat.models import DirectMessage
from games.deal_index.making import facts_of
from games.kit import shuffle
from games.models import Match, Move
from games.play import seating, store
from games.play.errors import NotAllowed, Refused
from games.play.repair import differences
from tests import opening
from tests.challenges.conftest import GAMES, finished_match
from tests.matches import play_on, sensible

pytestmark = pytest.mark.whole


@pytest.fixture
def challenge(ana, played):
    """A challenge of the first deal of Ana's match, from seat 0."""
    return challenges.make(ana, played, 0, 1)


def first_legal(snapshot):
    return snapshot.rules.legal_moves(snapshot.state)[0]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("deal", [2, None])
def test_everybody_has_the_same_cards_and_bots(ana, boris, vera, game, deal):
    challenge = challenges.make(ana, finished_match(ana, game), 1, deal)

    begun = [challenges.play(user, challenge=challenge) for user in (boris, vera)]

    states = [snapshot.state for snapshot in begun]
    assert states[0] == states[1]
    assert [snapshot.player_number(user.pk) for snapshot, user in zip(begun, (boris, vera), strict=True)] == [1, 1]
    bots = [[(seat.bot, seat.number) for seat in snapshot.seats if seat.bot] for snapshot in begun]
    assert bots[0] == bots[1]
    ends = [play_on(snapshot) for snapshot in begun]  # all choose alike, so that everything is
    assert ends[0].state == ends[1].state
    assert all(differences(Match.objects.get(code=end.code)) == [] for end in ends)


def test_deal_of_a_match_is_dealt_as_it_was(ana, boris, played):
    challenge = challenges.make(ana, played, 2, 3)

    begun = challenges.play(boris, challenge=challenge)

    copied = store.read_moves(Match.objects.get(code=begun.code))
    assert [move[:2] for move in copied] == [move[:2] for move in store.read_moves(played)[: len(copied)]]
    assert begun.deal_count == 3


def test_whole_match_has_the_decks_of_the_original(ana, boris, played):
    over = play_on(challenges.play(boris, challenge=challenges.make(ana, played, 0, None)))

    decks = [
        [move["deck"] for seat, move, *_ in store.read_moves(match) if seat is None]
        for match in (played, Match.objects.get(code=over.code))
    ]
    assert decks[0] == decks[1]


def test_traveller_is_hidden_until_one_has_played(users, boris, vera, played, challenge, client):
    over = play_on(challenges.play(boris, challenge=challenge))
    client.force_login(vera)

    before = client.get(challenge.get_absolute_url()).content.decode()
    begun = challenges.play(vera, challenge=challenge)
    during = client.get(challenge.get_absolute_url()).content.decode()
    play_on(begun)
    after = client.get(challenge.get_absolute_url()).content.decode()

    assert ["Boris" in page for page in (before, during, after)] == [False, False, True]
    assert over.code not in before + during
    with pytest.raises(NotAllowed, match="once you have played"):
        challenges.traveller(challenge, users[3])


def test_traveller_lists_the_points_of_the_deal(ana, boris, vera, played):
    seat = 1 if played.seats.get(user=ana).number != 1 else 2
    challenge = challenges.make(ana, played, seat, 2)
    codes = [
        play_on(challenges.play(user, challenge=challenge), choose).code
        for user, choose in ((boris, sensible), (vera, first_legal))
    ]

    shown = challenges.traveller(challenge, boris)

    points = {code: facts_of(Match.objects.get(code=code)).deals[2].seats[seat]["points"] for code in codes}
    assert {result.match: result.points for result in shown.results} == points
    assert [result.points for result in shown.results] == sorted(points.values(), reverse=True)
    assert shown.results[0].place == 1
    assert shown.apart[0].points == facts_of(played).deals[2].seats[seat]["points"]
    assert shown.apart[0].knew == "first played it"


def test_who_sat_there_is_told_and_listed_apart(ana, boris, played, challenge, client):
    client.force_login(ana)

    page = client.get(challenge.get_absolute_url()).content.decode()
    play_on(challenges.play(ana, challenge=challenge))

    assert "You sat in the match" in page
    shown = challenges.traveller(challenge, ana)
    assert shown.results == []
    assert [result.knew for result in shown.apart] == ["first played it", "sat in that match"]


def test_who_opened_the_replay_is_told_and_listed_apart(boris, played, challenge, client):
    client.force_login(boris)
    client.get(reverse("replay", args=[played.code]))

    told = client.get(challenge.get_absolute_url()).content.decode()
    challenges.play(boris, challenge=challenge)

    assert "opened a replay of these cards" in " ".join(told.split())
    assert ChallengePlay.objects.get(user=boris).knew == "replayed"


def test_replay_of_another_play_gives_the_cards_away_too(boris, vera, challenge, client):
    over = play_on(challenges.play(boris, challenge=challenge))
    client.force_login(vera)
    client.get(reverse("replay", args=[over.code]))

    assert challenges.how_known(vera, challenge) == "replayed"


def test_who_watched_is_known(ana, boris, client):
    running = opening.open_table(ana, "oh-hell", bots=3, speed="untimed")
    client.force_login(boris)
    client.get(reverse("match", args=[running.code]))
    played = Match.objects.get(code=play_on(running).code)

    assert challenges.how_known(boris, challenges.make(ana, played, 0, 1)) == "watched"


def test_first_play_counts_and_the_others_are_apart(boris, challenge):
    first = play_on(challenges.play(boris, challenge=challenge))
    second = play_on(challenges.play(boris, challenge=challenge))

    shown = challenges.traveller(challenge, boris)

    assert [result.match for result in shown.results] == [first.code]
    assert second.code in [result.match for result in shown.apart]


def test_play_that_is_asked_for_twice_is_one(boris, challenge, client):
    client.force_login(boris)

    answers = [client.post(reverse("play_challenge", args=[challenge.code])) for _ in range(2)]

    assert answers[0].url == answers[1].url
    assert ChallengePlay.objects.count() == 1


def test_who_gives_up_sees_the_results_and_plays_no_first_time(boris, played, challenge, client):
    begun = challenges.play(boris, challenge=challenge)
    client.force_login(boris)

    client.post(reverse("give_up_challenge", args=[challenge.code]))

    assert Match.objects.get(code=begun.code).status == Match.Status.CLOSED
    assert challenges.traveller(challenge, boris).given_up == 1
    Match.objects.filter(code=begun.code).delete()  # as `tidy` does
    assert challenges.has_played(boris, challenge)
    challenges.play(boris, challenge=challenge)
    assert ChallengePlay.objects.get(user=boris, match__isnull=False).knew == "played"


def test_challenge_of_a_running_match_is_refused(ana, client):
    running = opening.open_table(ana, "oh-hell", bots=3, speed="untimed")
    client.force_login(ana)

    answer = client.post(reverse("make_challenge", args=[running.code]), {"seat": "0", "deal": "1"})

    assert answer.status_code == 400
    assert not Challenge.objects.exists()


@pytest.mark.parametrize("wrong", [{"seat": "9"}, {"seat": ""}, {"deal": "0"}, {"deal": "77"}, {"deal": "x"}])
def test_nonsense_is_refused(ana, played, client, wrong):
    client.force_login(ana)

    answer = client.post(reverse("make_challenge", args=[played.code]), {"seat": "0", "deal": "1"} | wrong)

    assert answer.status_code == 400
    assert not Challenge.objects.exists()


def test_challenge_is_made_once(ana, boris, played):
    assert challenges.make(ana, played, 0, 1) == challenges.make(boris, played, 0, 1)
    assert challenges.make(ana, played, 0, None) == challenges.make(boris, played, 0, None)


def test_no_hints_in_a_challenge(ana, boris, played, client):
    begun = challenges.play(boris, challenge=challenges.make(ana, played, 0, 1))
    client.force_login(boris)

    answer = client.post(reverse("hint", args=[begun.code]))

    assert answer.status_code == 403
    assert "hint-button" not in client.get(reverse("match", args=[begun.code])).content.decode()


def test_play_of_a_challenge_whose_match_is_gone_is_refused(boris, played, challenge):
    played.delete()
    challenge.refresh_from_db()

    with pytest.raises(Refused, match="was deleted"):
        challenges.play(boris, challenge=challenge)


def test_deal_of_the_day_is_the_same_for_all(ana, boris):
    for challenge in days.deals_of(days.today()):
        begun = [challenges.play(user, challenge=challenge) for user in (ana, boris)]

        assert begun[0].state == begun[1].state
        assert begun[0].one_deal


def test_deal_of_the_day_follows_from_the_seed_that_was_promised(ana):
    today = days.today()
    promised = days.promise(today) or (days.create_missing_seeds(), days.promise(today))[1]
    challenge = next(each for each in days.deals_of(today) if each.game == "oh-hell")
    begun = challenges.play(ana, challenge=challenge)

    DailySeed.objects.filter(date=today).update(date=today - timedelta(days=1))
    told = days.promise(today - timedelta(days=1))

    assert (promised.seed, told.seed_hash) == ("", promised.seed_hash)
    assert shuffle.commitment(told.seed) == promised.seed_hash
    seed = days.game_seed(told.seed, today, "oh-hell")
    shuffles = shuffle.Shuffles(seed, ("",) * begun.seat_count)
    (_, move, *_), *_ = store.read_moves(Match.objects.get(code=begun.code))
    assert move["deck"] == shuffles.deck(sorted(move["deck"]), 1)


def test_hash_of_tomorrow_is_told_and_no_seed_before_its_day_is_over(db, client):
    page = client.get(reverse("days")).content.decode()

    today, tomorrow = DailySeed.objects.order_by("date")
    assert (today.date, tomorrow.date) == (days.today(), days.today() + timedelta(days=1))
    assert shuffle.commitment(tomorrow.seed) in page
    assert today.seed not in page
    assert tomorrow.seed not in page
    assert days.promise(tomorrow.date + timedelta(days=1)) is None


def test_it_is_said_whether_the_promise_was_made_in_time(db):
    days.create_missing_seeds()
    today = days.today()
    late = days.promise(today).in_time
    DailySeed.objects.filter(date=today).update(promised_at=timezone.now() - timedelta(days=1))

    assert (late, days.promise(today).in_time) == (False, True)


def test_deal_that_nobody_wants_ends_the_play_all_the_same(ana, boris, client):
    def passing(snapshot):
        legal = snapshot.rules.legal_moves(snapshot.state)
        return next((move for move in legal if move == {"type": "pass"}), legal[0])

    challenge = challenges.make(ana, finished_match(ana, "belot"), 0, 1)
    over = play_on(challenges.play(boris, challenge=challenge), passing)

    match = Match.objects.get(code=over.code)
    assert (match.status, match.deal_count, differences(match)) == (Match.Status.OVER, 1, [])
    assert [result.points for result in challenges.traveller(challenge, boris).results] == [0]
    assert client.get(match.get_absolute_url()).status_code == 200


def test_deal_of_a_day_that_is_over_is_listed_apart(ana, boris):
    challenge = days.deals_of(days.today())[0]
    Challenge.objects.update(day=days.today() - timedelta(days=1))
    challenge.refresh_from_db()

    play_on(challenges.play(ana, challenge=challenge))

    shown = challenges.traveller(challenge, ana)
    assert (len(shown.results), [result.knew for result in shown.apart]) == (
        0,
        ["played after the seed of the day was published"],
    )


def test_only_who_did_not_sit_there_is_noted_as_a_reader(ana, boris, played, client):
    for user in (ana, boris, boris):
        client.force_login(user)
        client.get(reverse("replay", args=[played.code]))

    assert list(SeenMatch.objects.values_list("user__username", "how")) == [("Boris", "replayed")]


def test_challenge_of_a_game_that_is_not_here_is_refused_in_words(ana, challenge, client):
    Challenge.objects.update(rules_version=99)
    client.force_login(ana)

    answer = client.get(challenge.get_absolute_url())

    assert answer.status_code == 409
    assert "not available at the moment" in answer.content.decode()


def knew(user):
    return ChallengePlay.objects.get(user=user).knew


def test_who_opens_the_replay_while_playing_is_listed_apart(boris, played, challenge, client):
    begun = challenges.play(boris, challenge=challenge)
    client.force_login(boris)
    client.get(reverse("replay", args=[played.code]))
    play_on(begun)

    shown = challenges.traveller(challenge, boris)

    assert shown.results == []
    assert [result.knew for result in shown.apart if result.own] == ["had opened a replay of these cards"]


def test_who_opens_the_replay_afterwards_did_not_know_the_cards(boris, played, challenge, client):
    play_on(challenges.play(boris, challenge=challenge))
    client.force_login(boris)
    client.get(reverse("replay", args=[played.code]))

    shown = challenges.traveller(challenge, boris)

    assert [result.name for result in shown.results] == ["Boris"]


def test_deal_of_the_day_that_is_finished_on_the_next_is_listed_apart(ana):
    challenge = days.deals_of(days.today())[0]
    over = play_on(challenges.play(ana, challenge=challenge))
    Match.objects.filter(code=over.code).update(ended_at=timezone.now() + timedelta(days=1))

    shown = challenges.traveller(challenge, ana)

    assert (shown.results, knew(ana)) == ([], "late")


@pytest.mark.parametrize("anew", [False, True])
def test_who_has_practised_with_the_cards_is_listed_apart(boris, played, anew, challenge):
    playing_on.play_on(boris, match=played, choice=playing_on.Choice(0, 0, level="", one_deal=True, anew=anew))

    challenges.play(boris, challenge=challenge)

    assert knew(boris) == "replayed"


def test_variation_of_a_variation_gives_the_cards_away_too(ana, boris, vera, played, client):
    challenge, match = challenges.make(ana, played, 0, 1), played
    for _ in range(2):
        varied = playing_on.play_on(
            ana, match=match, choice=playing_on.Choice(0, 0, level="", one_deal=True, anew=False)
        )
        match = Match.objects.get(code=play_on(varied).code)
    client.force_login(vera)
    client.get(reverse("replay", args=[match.code]))
    playing_on.play_on(boris, match=match, choice=playing_on.Choice(0, 0, level="", one_deal=True, anew=False))

    assert [challenges.how_known(user, challenge) for user in (vera, boris)] == ["replayed", "replayed"]


@pytest.mark.parametrize("deal, knew", [(1, ""), (2, "played"), (None, "played")])
def test_who_has_had_the_cards_of_another_seat_is_listed_apart(ana, boris, played, deal, knew):
    play_on(challenges.play(boris, challenge=challenges.make(ana, played, 1, deal)))

    assert challenges.how_known(boris, challenges.make(ana, played, 0, 2)) == knew


SHOWING = [
    *("match", "last_deal", "sheet", "sheet_csv", "sheet_picture", "luck", "embed", "replay", "replay_frames"),
    *("replay_paper", "shuffle", "analysis", "play_on"),
]


@pytest.mark.parametrize("page", [*SHOWING, "comments", "card"])
def test_every_page_that_shows_cards_notes_who_has_seen_them(ana, boris, played, client, page):
    client.force_login(boris)

    answer = client.get(reverse(page, args=[played.code]), {"move": "3"} if page in ("comments", "card") else {})

    assert answer.status_code in ((200, 404) if page == "luck" else (200,))
    assert challenges.how_known(boris, challenges.make(ana, played, 0, 1)) == "replayed"


def test_page_of_another_site_that_is_still_in_the_browser_notes_who_has_logged_in(ana, boris, played, client):
    address = reverse("embed", args=[played.code])
    tag = client.get(address)["ETag"]
    client.force_login(boris)

    client.get(address, headers={"if-none-match": tag})

    assert SeenMatch.objects.get().user == boris


def test_page_of_a_given_up_play_notes_who_has_seen_it(boris, vera, challenge, client):
    begun = challenges.play(boris, challenge=challenge)
    seating.leave_match(boris, begun.code)
    client.force_login(vera)

    client.get(reverse("replay", args=[begun.code]))

    assert challenges.how_known(vera, challenge) == "replayed"


def test_play_that_cannot_be_reckoned_holds_no_other_up(boris, vera, caplog, challenge):
    broken, whole = [play_on(challenges.play(user, challenge=challenge)) for user in (boris, vera)]
    lost = Move.objects.get(match=broken.pk, index=broken.move_count - 1)
    Move.objects.filter(pk=lost.pk).delete()

    shown = challenges.traveller(challenge, vera)

    assert [result.match for result in shown.results] == [whole.code]
    assert broken.code in caplog.text
    lost.save(force_insert=True)
    challenges.traveller(challenge, vera)
    assert ChallengePlay.objects.get(match=broken.pk).points is None  # not again at once
    settling.forget()
    assert len(challenges.traveller(challenge, vera).results) == 2


def test_the_way_to_the_results_is_open_to_whoever_may_see_the_table(challenge, client, boris, users):
    begun = challenges.play(boris, challenge=challenge)
    page, way = reverse("match", args=[begun.code]), reverse("results", args=[begun.code])
    client.force_login(users[2])
    assert client.get(way).status_code == client.get(page).status_code == 403

    client.force_login(boris)
    assert client.get(way)["Location"] == challenge.get_absolute_url()


def test_a_deal_that_is_passed_out_ends_with_a_result(as_ana, ana):
    """Seed 5 deals cards that nobody wants in Belot: every bot passes, and so does the player."""
    days.create_missing_seeds()
    deal = next(deal for deal in days.deals_of(days.today()) if deal.game == "belot")
    Challenge.objects.filter(pk=deal.pk).update(seed=f"{5:064x}", par=0)
    begun = challenges.play(ana, challenge=Challenge.objects.get(pk=deal.pk))

    ended = play_on(begun, lambda snapshot: {"type": "pass"})

    assert (ended.status, ended.deal_count) == (Match.Status.OVER, 1)
    for page in (as_ana.get(f"/matches/{ended.code}/"), as_ana.get(f"/matches/{ended.code}/?seen=1")):
        assert 'id="other-line"' in page.text
        assert 'class="result final"' in page.text
        assert "New cards" not in page.text
        assert "deal next" not in page.text
    sheet = as_ana.get(f"/matches/{ended.code}/sheet/").text
    assert "Everybody passed, so no deal was scored." in sheet
    assert "scored yet" not in sheet
    line = as_ana.get("/deal-of-the-day/").context["deals"][1]
    assert (line.challenge.game, line.points, line.place, line.players) == ("belot", 0, 1, 1)
    assert as_ana.get(deal.get_absolute_url()).context["traveller"].results[0].points == 0


def test_deals_of_the_day_have_players_par_and_a_streak(as_ana, ana, boris):
    days.create_missing_seeds()
    deal = days.deals_of(days.today())[0]
    assert store_next_par() is True
    deal.refresh_from_db()
    assert deal.par == par_of(deal)  # The same cards and the same bots.
    before = as_ana.get("/deal-of-the-day/")
    assert (before.context["streak"], before.context["deals"][0].has_played) == (0, False)

    for user in (boris, ana):
        play_on(challenges.play(user, challenge=deal))

    page = as_ana.get("/deal-of-the-day/")
    line = page.context["deals"][0]
    assert (line.players, line.place, page.context["streak"]) == (2, 1, 1)
    ChallengePlay.objects.filter(user=ana).update(points=1)
    ChallengePlay.objects.filter(user=boris).update(points=2)
    assert as_ana.get("/deal-of-the-day/").context["deals"][0].place == 2
    old = Challenge.objects.create(
        **{name: getattr(deal, name) for name in ("game", "seat", "bots", "rules_version", "options", "seed")},
        day=days.today() - timedelta(days=1),
        deal=1,
        shuffle_code="x",
    )
    ChallengePlay.objects.create(challenge=old, user=ana, points=3)
    assert as_ana.get("/deal-of-the-day/").context["streak"] == 2
    ChallengePlay.objects.filter(challenge=old).update(knew="late")
    assert as_ana.get("/deal-of-the-day/").context["streak"] == 1


def test_front_page_plays_the_deal_of_the_day_by_one_click(as_ana, ana):
    days.create_missing_seeds()
    deal = days.deals_of(days.today())[0]
    assert f'action="/challenges/{deal.code}/play/"' in as_ana.get("/").text

    begun = as_ana.post(f"/challenges/{deal.code}/play/")

    assert f'href="{begun.url}"' in as_ana.get("/").text
    play_on(store.read(begun.url.split("/")[2]))
    assert f'href="{deal.get_absolute_url()}"><span>Results' in as_ana.get("/").text


def test_challenge_is_sent_to_a_friend(as_ana, ana, boris, challenge, settings):
    settings.NEWCOMER_HOURS = settings.NEWCOMER_MATCHES = 0  # Newcomers may send no links.
    ties.ask(ana, boris)
    ties.accept(boris, ana)

    answer = as_ana.post(f"/challenges/{challenge.code}/send/", {"friend": "Boris"})

    assert answer.url == challenge.get_absolute_url()
    message = DirectMessage.objects.get(sender=ana, recipient=boris)
    assert message.text.endswith(challenge.get_absolute_url())
    assert as_ana.post(f"/challenges/{challenge.code}/send/", {"friend": "Vera"}).status_code == 404

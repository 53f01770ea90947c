"""Agreement: the sides that agree to a deal as it stands, and whether all do to how a match ended."""

from domain.match.state import Deal, Match, is_complete, race_of, race_scores


def agreed_by(deal: Deal) -> tuple[int, ...]:
    """The sides that agree to a deal as it stands: they confirmed its result, or accepted the last ruling on it."""
    accepted = deal.rulings[-1].accepted if deal.rulings else ()
    return tuple(sorted({*deal.confirmed, *accepted}))


def all_confirmed(match: Match, deal: Deal) -> bool:
    """Tells whether every side has agreed to a deal that is over."""
    return is_complete(match, deal) and len(agreed_by(deal)) == len(match.setup.sides)


def figures_of(match: Match) -> tuple[int, ...]:
    """The figures signed with the last deal of a match: its totals, or the games won by side in a best of several."""
    race = race_of(match)
    if match.setup.race.best_of == 1:
        return race.totals
    return tuple(sum(game.winner == side for game in race.games) for side in range(len(match.setup.sides)))


def agreed_at(match: Match) -> int | None:
    """The version at which every side had vouched for the last deal of a match that is over; None before."""
    vouched = match.deals[-1].vouched if match.deals else {}
    return max(vouched.values()) if len(vouched) == len(match.setup.sides) and race_of(match).finished else None


def match_confirmed(match: Match) -> bool:
    """Tells whether the result of a finished match is agreed to: every deal that counts is, or all sides signed the
    last of them with the totals. A deal that was ruled on needs nobody, and neither does a void one."""
    counting = [deal for deal in match.deals if race_scores(match, deal) is not None]
    if not counting or not race_of(match).finished:
        return False
    if all(deal.rulings or all_confirmed(match, deal) for deal in counting):
        return True
    last, figures = counting[-1], figures_of(match)
    return all(last.signed.get(side, ()) in (None, figures) for side in range(len(match.setup.sides)))


def ruled_last(match: Match) -> bool:
    """Tells whether a director's ruling is the last word on how a match stands: nothing that counts was recorded
    since."""
    rulings = [ruling.version for deal in match.deals for ruling in deal.rulings]
    said = [deal.entry[0] for deal in match.deals if deal.entry is not None]
    said += [version for deal in match.deals for version, _ in deal.facts]
    return bool(rulings) and max(rulings) > max(said, default=0)

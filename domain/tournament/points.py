"""The terms of a stage: what a round is worth, by what the entries are put in order, what a match waits for."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from domain.pairing.crosstable import PointSystem

Tenths: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Pace: TypeAlias = Literal["ready", "strict"]
WinPoints: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1000)]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Match points in tenths for each kind of round; win points of a walkover and of a bye (those of a match follow
    from its lurch). `points` says which of the two are the points of the standings; `tiebreaks` put the entries in
    order, the first before all others (empty: the format's own). `rounds` says when a match of a plan may be paired:
    as soon as both sides are `ready`, or only when the round before is over (`strict`); `meetings` which of them a draw
    knows: those of `all` stages, or of this `stage`."""

    win: Tenths = 10
    draw: Tenths = 5
    loss: Tenths = 0
    walkover: Tenths = 10
    bye: Tenths = 10
    half: Tenths = 5
    full: Tenths = 10
    walkover_worth: WinPoints = 1
    bye_worth: WinPoints = 1
    points: Literal["match", "win"] = "match"
    tiebreaks: Annotated[tuple[str, ...], msgspec.Meta(max_length=20)] = ()
    rounds: Pace = "ready"
    meetings: Literal["all", "stage"] = "all"

    def match_points(self) -> PointSystem:
        """The worth of each kind of round in match points."""
        return PointSystem(
            win=self.win,
            draw=self.draw,
            loss=self.loss,
            forfeit_win=self.walkover,
            forfeit_loss=0,
            pairing_bye=self.bye,
            half_bye=self.half,
            full_bye=self.full,
            zero_bye=0,
        )

"""Points in tenths as people read them."""


def shown(value: int, unit: int = 10) -> str:
    """7.5 of 75 tenths, without a zero that says nothing."""
    return f"{value / unit:g}"


def points(score: int) -> str:
    """2 points, 1 point, 0.5 points."""
    return f"{shown(score)} point{'' if score == 10 else 's'}"

"""Material for mutations: cards, odd characters, words and tags of notation, JSON values."""

CARDS = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432"] + ["XR", "XB", "??", "♠A", "h10", "AS"]
ODD = [
    *("\x00", "\ufeff", "\r\n", "\r", "\u2028", "\x85", "\x1c", "\u00a0", "é", "٣", "²", "♥", "\U0001f0a1"),
    *("{", "}", "[", "]", '"', "\\", ";", "%", "!", "\n", "\n\n", "  ", "=", "-", "~"),
    *("^REV", ">A", "İ", "ß", "ſ"),
]
WORDS = [
    *("-", "~", "=7-6", "=void", "R", "R A 1 B 2", "R N+S 3 E+W 4", "BID", "P1", "P2", "L1", "4."),
    *("A:S", "B:odd", "A:-", "^REV", "^ZZZ", "!20", ">A", ">B7", "=12", "+A:H7", "+B:??", "A:!S"),
    *("*S2", "SQ@d4", "D3g4", "A:!24", "! ruling REV => A 1 B 2"),
    *("\n! ruling REV@3 by=D accepted=A => A 5 B 6\n", "\n! confirmed A\n", "{note}"),
    *("stuck=A", "bid=3", "void=1", "bidder=B", "(4,2)", "*", "!5", "@d4", '[Red "B"]', '[Seal "x"]', "\n! ruling\n"),
    *('[Entry "{}"]', '[Detail "summary"]', '[Detail "plays"]', '[Dealer "A"]', '[Deal "2"]', '\n\n[Game "parity"]'),
    *('[Game "bridge"]', '[Hands "A:S A / B:S K"]', '[Stock "SA"]', '[Layout "SA"]', '[Lang "de"]'),
    *('[Option "variant fixed"]', '[Target "9"]', '[Lurch "2/0"]', '[WinBy "0"]', '[Cap "1"]'),
]
VALUES = [
    *(None, True, False),
    *(0, 1, -1, 2, 3, 4, 2**31, 2**63, -(2**64), 10**30, 0.5, 1.0, -0.0, 1e308),
    *("", "S", "SA", "H7", "play", "pass", "odd", "bid", "place", "parity", "garbo", "0"),
    *([], {}, [0], [0, 0], [0, "play", "SA"], [1, "pass"], [0, "bid", 3], [0, "move", [0, 0]], {"hands": []}),
    *("x" * 5000, "\ud800", "\x00"),
]

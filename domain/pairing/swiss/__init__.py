"""Swiss pairing: the FIDE (Dutch) System in the two editions that a file may ask for, and Monrad.

The articles are those of FIDE's C.04.3 as of 1 February 2026, unless a module says that its numbers are of the text
before; "first" is what White is there. A round is made in this order:

    pairing.pair(table, round)          the one door; `answer` is what comes out of it
      entrants, acceleration, sides     the rounds before, player by player (1.2 to 1.8), with virtual points (C.04.7)
      dutch.paired_brackets             score groups from the top, each with those whom the one above left (1.3, 1.9)
        natural.NaturalOrder            a bracket tried in its natural order, where that is provably the answer
        weighed.WeighedBracket          else by matching
      monrad.pairs_and_bye              the other system: score, number, the next one below not met yet
      reasons.Reasons                   an explanation for each pair, as messages; `english` has the words
      relaxed.breaking_least            where no legal pairing exists: the round that breaks least (C1, C2, C3)

**Absolute and quality criteria.** C1 (nobody meets twice), C2 (no second bye) and C3 (two who must have the same side
do not meet) hold always: `entrants.legal` and `barred`. C4 and C5 are about all that is still unpaired: can those
below be paired too, and how low does the bye fall. `completion` answers both, by counting where that suffices (a
graph in which everybody may meet at least half of the others has a perfect matching, Dirac), else by a matching. C6
to C21 compare candidates, each before all that follow it: the number of pairs (C6), the scores of those left over
(C7), the next bracket (C8), unplayed rounds of who has the bye (C9), sides (C10 to C13), floats (C14 to C21).

**A bracket** (`bracket`) is those moved down (M0) and the residents. The rules generate candidates in a fixed order,
exchanges included (4.2 to 4.4), and take the first that is best by the criteria. Trying them in that order would
never end in a large bracket, so it is done in two other ways that give the same answer.

`natural` knows a lower bound for every criterion and walks through the candidates without any exchange: a partner is
skipped only for breaking a criterion that no pairing at the bounds breaks. A candidate that it completes meets every
bound, so nothing is better, and nothing equal is generated before it. Nearly all large brackets end here.

`weighed` is always right. Each possible pair is an edge whose weight is its costs by criterion (`criteria`); a
maximum weight matching is the best candidate. One weight for all criteria would need hundreds of bits, so `matcher`
settles a few criteria at a time and keeps their optimum in the weights that follow. Among what is equal by the
criteria, `order` asks the matcher for the first in the order of generation: those moved down who are paired (4.4),
the exchanges between S1 and S2 (4.3), then the transposition of S2 (4.2).

`dutch` first lets a bracket look only at the one that follows, and asks afterwards if the rest can be paired: mostly
it can, and the answer is right. `dutch_till_2026` with `criteria_till_2026` is the text before February 2026 with its
own numbers (C.5 to C.19), in which a bracket never looks further (A.9).

**Sides** (`sides`) come last and change no pair: Article 5.2, the first of whose five rules that applies gives them.
"""

"""Tournaments, from the announcement to the places; pure like everything in the domain. To be read in this order:

plan, events, commands             the aggregate: stages and terms as announced, each event, each command
state, evolve                      the folded state (stages count from 0)
decide/                            from a command to events; `rights` first, then one module for each kind of command
  announcing, entering, line       stages and their terms; entries and seeds; the order on the qualifying line
  rounds, outcomes, repairs        pairing, clock and tables; results; rounds that were paired on a wrong result
  claims, contests, closing        the word of one side; a record against a result; final places
orders                             several commands in one go, all or none
fixtures, meetings                 the matches of a plan by part, round and number; the same as they stand
format, formats/                   the protocol of a format, pages included; one module for each format
crosstable_of, places, ranges      a stage as a cross table; places so far; the places that are still possible
readiness, seating, seeds          matches that can be paired now; tables and who deals first; when seeds stand
points, final_score                the worth of a round; scores that can end a match
simulate                           whole tournaments with simulated players
"""

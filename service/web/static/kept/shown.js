// What a table shows that the service has drawn, for what is tapped next.
export function versionOf(part) {
  return Number(part.querySelector("h1")?.dataset.version ?? 0);
}

// Another one where the service came back from a copy: what it shows then counts, also of a lower version.
export function eraOf(part) {
  return part.querySelector("h1")?.dataset.era;
}

// What the next tap builds on: the version of the match and its era, whose turn it is, who is asked, and what a square
// takes; then the cards that are gone, and how many deals there are.
export function shownOn(part) {
  const { turn, asked, takes } = part.querySelector(".entry")?.dataset ?? {};
  const { gone, deals } = part.querySelector(".dock")?.dataset ?? {};
  return {
    version: versionOf(part),
    era: eraOf(part),
    turn: turn || null,
    asked: asked || null,
    takes: takes?.split(" "),
    gone: gone?.split(" ") ?? [],
    deals: Number(deals ?? 0),
  };
}

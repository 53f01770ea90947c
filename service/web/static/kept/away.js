// A live table whose service is not reached while taps wait: what it shows stays where it is, so that nothing moves
// under a finger, and below it stands everything else that it has offered.
import { makeLaying } from "./laying.js";
import { drawButton, drawOffers, drawParts, nameSeats, rowsOf } from "./offered.js";
import { read } from "./tapped.js";

export { lyingOn, paint } from "./board.js";
export { offerTapped } from "./offered.js";
export { broughtAlong, dealAfter, keepOffer, later, lookingAhead, offered } from "./offers.js";

// `said` is where it is told, `act` what a tap on an offer does, `kept` gives what is kept, `base` what is shown.
export function makeAway(table, said, { act, kept, base, people }) {
  let beside = null; // what was drawn below
  let added = []; // what was drawn elsewhere
  let filled = []; // buttons in the places of cards that are gone: the next deal has them again

  function fill(grid, taps) {
    const rows = rowsOf(taps);
    [...grid.children].forEach((suit, at) => {
      if (rows[at]?.length !== suit.children.length) return; // not the whole pack is known
      [...suit.children].forEach((gone, place) => {
        if (!gone.matches(".gone")) return;
        const button = drawButton(rows[at][place], { name: "card" });
        gone.replaceWith(button);
        filled.push([button, gone]);
      });
    });
  }

  function show(entry, offer) {
    const { secret, taps } = offer;
    const grid = entry.querySelector(".grid52");
    const played = entry.querySelector("#played");
    const all = Object.values(taps).filter((tap) => !(secret && tap.card));
    const there = new Set([...entry.querySelectorAll(".calls button")].map(read));
    const others = all.filter((tap) => !there.has(tap.said) && !(tap.card && played));
    if (grid) {
      const style = { minHeight: `${played.offsetHeight}px`, flex: "none" };
      Object.assign(played.style, style); // what comes below takes no height of it
      fill(grid, all);
    }
    const text = worded("Without a connection: everything that this table has offered");
    const line = Object.assign(document.createElement("p"), { className: "quiet", textContent: text });
    beside = Object.assign(document.createElement("div"), { className: "offered" });
    const { modifiers, board, laying, undo, claim } = drawParts(table, offer);
    const parts = [all.some((tap) => tap.card) && modifiers, board, ...drawOffers(others, act), laying];
    beside.append(line, ...parts.filter(Boolean));
    entry.append(beside);
    const dock = table.querySelector(":scope .dock:not(.entry *)");
    nameSeats(claim, people);
    nameSeats(laying, people);
    if (undo) dock?.prepend(undo);
    if (claim) dock?.querySelector("[data-unsent]").after(claim);
    added = [undo, claim].filter(Boolean);
    if (laying) makeLaying(laying.querySelector("form"), kept(), { offer, base });
    said.textContent = text;
  }

  function hide() {
    const within = [beside, ...filled.map(([button]) => button)].some((each) => each.contains(document.activeElement));
    beside.closest(".entry")?.querySelector("#played")?.removeAttribute("style");
    beside.remove();
    for (const each of added) each.remove();
    for (const [button, gone] of filled) button.replaceWith(gone);
    if (within) table.querySelector(".entry button")?.focus({ preventScroll: true });
  }

  // Draws what there is to offer while the service is `lost`, and takes it away again.
  return (lost, offer) => {
    const shown = beside?.isConnected ?? false;
    const entry = table.querySelector(".entry");
    if (!shown)[beside, filled, added] = [null, [],
      []
    ];
    if (shown && !lost) hide();
    else if (!shown && lost && offer && entry) show(entry, offer);
  };
}

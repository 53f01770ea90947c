// Everything that a table has offered, drawn to be tapped while the service is not reached: cards in rows of a suit,
// then calls and the next deal. It does not know the rules: what is tapped is judged when it arrives.
import { part } from "./board.js";
import { rebase } from "./queue.js";
import { modified } from "./tapped.js";

const SUITS = "SHDCX";

function element(name, more) {
  return Object.assign(document.createElement(name), more);
}

export function drawButton(tap, more) {
  const made = element("button", { textContent: tap.text, className: tap.css, value: tap.card ?? "", ...more });
  made.setAttribute("aria-label", tap.said);
  made.dataset.key = tap.card ?? tap.said;
  return made;
}

// The cards in rows, a row for each suit.
export function rowsOf(taps) {
  return [...SUITS].map((suit) => taps.filter((tap) => tap.card?.[0] === suit)).filter((row) => row.length);
}

export function drawOffers(taps, act, kind = "offers") {
  const button = (tap) => drawButton(tap, { type: "button", onclick: (event) => act(tap, event.currentTarget) });
  const rows = rowsOf(taps);
  const grid = element("div", { className: `${kind} of${Math.max(...rows.map((row) => row.length))}` });
  for (const row of rows) {
    const suit = element("div", { className: "suit" });
    suit.append(...row.map(button));
    grid.append(suit);
  }
  const calls = element("div", { className: "calls" });
  calls.append(...taps.filter((tap) => !tap.card).map(button));
  return [grid, calls].filter((each) => each.children.length);
}

// The parts that the page brought along, as far as the place has not got them already: above the cards and below.
export function drawParts(place, offer) {
  const wanted = (name, there) => (place.querySelector(there) ? null : part(offer, name));
  return {
    modifiers: wanted("modifiers", ".modifier"),
    board: wanted("board", ".on-board"),
    laying: wanted("laying", ".layout-form"),
    undo: wanted("undo", ".dock [data-key=undo]"),
    claim: wanted("claim", ".dock .claim"),
  };
}

// Names stand in the place of letters where the page knows them.
export function nameSeats(made, people) {
  const said = {
    seat: (name) => name,
    dealer: (name) => worded("dealer: {0}", name),
    red: (name) => worded("red: {0}", name),
  };
  for (const each of made?.querySelectorAll("select option") ?? []) {
    const name = each.value && people[each.value];
    if (name) each.textContent = said[each.parentElement.name](name);
  }
}

// A tap on what was offered earlier, on top of what is shown now.
export function offerTapped(kept, offer, tap, button, base) {
  if (button.matches(".blank")) return;
  const { text, css, call, ...item } = modified(document, rebase(tap, base));
  if (!kept.queue.twice(item.same)) kept.add({ ...item, hidden: item.hidden || offer.secret });
}

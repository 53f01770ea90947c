// A table without a network: what it offered when it was last seen can be tapped, and is kept until it can be sent.
import { keptOn } from "./kept/page.js";
import { offered } from "./kept/shelf.js";
import * as store from "./kept/store.js";

const root = document.querySelector("#kept");
const place = document.querySelector("[data-offered]");
const told = document.querySelector("[data-told]");
const table = location.pathname.split("/").slice(0, 3).join("/");
const SUITS = "SHDCX";
const AGAIN = 10_000;

root.dataset.match = table.split("/")[2];
await store.ready;
const offer = await offered(root.dataset.match);
if (offer) start(offer);
else told.textContent = worded(
  "No connection, and nothing of this table is kept on this phone. It is tried again by itself.",
);

function element(name, more) {
  return Object.assign(document.createElement(name), more);
}

function start({ who, version, turn, gone = [], taps }) {
  const before = store.all().find((item) => item.who === who)?.called;
  Object.assign(root.dataset, { who, called: before ?? worded("whoever tapped here") });
  const kept = keptOn(root, {
    base: () => ({ version, turn }),
    recorded: () => kept.queue.waiting().length || kept.queue.held().length || location.assign(table),
    refused: () => {},
    changed: draw,
  });
  const buttons = [];

  function button(tap) {
    const made = element("button", {
      type: "button",
      textContent: tap.text,
      className: tap.css,
      value: tap.card ??
        ""
    });
    made.setAttribute("aria-label", tap.said);
    made.dataset.key = tap.card ?? tap.said;
    made.addEventListener("click", () => {
      if (made.matches(".blank")) return;
      const { text, css, ...item } = tap;
      kept.add(item);
      draw();
    });
    buttons.push(made);
    return made;
  }

  const all = Object.values(taps);
  const grid = element("div", { className: "grid52 of13" });
  for (const suit of SUITS) {
    const row = element("div", { className: "suit" });
    row.append(...all.filter((tap) => tap.card?.[0] === suit).map(button));
    if (row.children.length) grid.append(row);
  }
  const calls = element("div", { className: "calls" });
  calls.append(...all.filter((tap) => !tap.card).map(button));
  place.append(grid, calls);

  function draw() {
    const { begun, cards } = kept.queue.cards();
    for (const each of buttons) {
      const blank = each.value !== "" && (cards.has(each.value) || (!begun && gone.includes(each.value)));
      each.classList.toggle("blank", blank);
      if (blank) each.setAttribute("aria-disabled", "true");
      else each.removeAttribute("aria-disabled");
    }
    const number = kept.queue.waiting().length;
    document.querySelector("[data-unsent]").textContent = number ? worded("{0} unsent|{0} unsent", number) : "";
  }
  draw();
  window.addEventListener("online", kept.queue.again);
}

// Back to the table as soon as the service is reached and nothing waits.
async function again() {
  const number = store.all().filter((item) => item.match === root.dataset.match && item.action).length;
  if (number) return;
  try {
    const answer = await fetch("/health/live", { cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // still away
  }
}
if (table.startsWith("/matches/")) {
  setInterval(again, AGAIN);
  window.addEventListener("online", again);
}

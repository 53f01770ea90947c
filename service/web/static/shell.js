// A table without a network: what it offered when it was last seen can be tapped, and is kept until it can be sent.
import { keptOn } from "./kept/page.js";
import { offered, remember } from "./kept/shelf.js";
import * as store from "./kept/store.js";
import { goOn, shownIn } from "./kept/without.js";

const root = document.querySelector("#kept");
const told = document.querySelector("[data-told]");
const table = location.pathname.split("/").slice(0, 3).join("/");
const AGAIN = 10_000;

root.dataset.match = table.split("/")[2];
await store.ready;
const offer = await offered(root.dataset.match);
if (offer) start(offer);
else told.textContent = worded(
  "No connection, and nothing of this table is kept on this phone. It is tried again by itself.",
);

function start(offer) {
  const before = store.all().find((item) => item.who === offer.who)?.called;
  Object.assign(root.dataset, { who: offer.who, called: before ?? worded("whoever tapped here") });
  root.dataset.era = offer.era ?? "";
  const { version, turn, asked, takes } = offer;
  let base = { version, turn, asked, takes };
  const kept = keptOn(root, {
    base: () => base,
    recorded(_, answer) {
      if (answer.version) base = answer;
      if (!kept.queue.waiting().length && !kept.queue.held().length) location.assign(table);
    },
    refused(_, answer) {
      if (!answer.table) return;
      base = shownIn(answer.table, offer); // what others did is said
      remember(Object.assign(offer, base));
    },
    changed: () => draw(),
  });
  const draw = goOn(document.querySelector("main"), { kept, offer, base: () => base });
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

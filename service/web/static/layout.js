// The page of a layout that is typed. Without a network its deal goes on here, until the table itself is reached.
import { makeLaying } from "./kept/laying.js";
import { broughtAlong, dealAfter, keepOffer, lookingAhead, offered } from "./kept/offers.js";
import { keptOn } from "./kept/page.js";
import { goOn } from "./kept/without.js";

const main = document.querySelector("main");
const form = main.querySelector(".layout-form");
const root = main.querySelector("#kept");
const number = Number(form.querySelector("[data-layout]").dataset.layout);
let base = { version: form.elements.version.value, turn: null };
let draw = null; // once the deal goes on here

const kept = keptOn(root, {
  base: () => base,
  recorded(_, answer) {
    if (answer.version) base = answer;
    if (!kept.queue.waiting().length && !kept.queue.held().length) location.assign(
      `/matches/${root.dataset.match}`);
  },
  refused(_, answer) {
    if (!answer.head) return;
    form.elements.version.value = answer.head; // what others did is said
    base = { version: answer.head, turn: null };
  },
  changed(queue) {
    if (!draw && queue.lost && queue.cards().laid && offered()) begin();
    draw?.();
  },
});

const now = { ...base, gone: [], hides: "", secret: false, deals: number - 1, lying: {}, ...broughtAlong() };
const { version } = base;
const place = main.querySelector("[data-offered]");
const taps = [dealAfter(place.dataset.nextDeal, version)];
keepOffer(kept.here, { ...now, ahead: lookingAhead(place, version), taps });
makeLaying(form, kept, { number, keys: document });

function begin() {
  form.hidden = true;
  draw = goOn(main, { kept, offer: offered(), base: () => base });
}

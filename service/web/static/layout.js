// The layout in reading order: a tap on a card fills the next square. What is tapped is kept on this phone until the
// deal has begun, and sent as every tap is, so that a reload or a lost network takes none of it away.
import { keptOn } from "./kept/page.js";
import * as store from "./kept/store.js";

const form = document.querySelector(".layout-form");
const board = form.querySelector("[data-layout]");
const pack = form.querySelector("[data-pack]");
const field = form.querySelector("textarea");
const told = document.querySelector("[data-count]");
const [undo, laid] = ["undo", "laid"].map((key) => form.querySelector(`[data-key="${key}"]`));
const squares = [...board.querySelectorAll(".spot")];
const names = squares.map((each) => each.textContent);
const buttons = new Map([...pack.querySelectorAll("button")].map((each) => [each.dataset.key, each]));
const root = document.querySelector("#kept");
const own = { form: `layout ${board.dataset.layout}`, named: worded("Layout of deal {0}", board.dataset.layout) };
const choices = [...form.querySelectorAll("select")];
let cards = [];

const kept = keptOn(root, {
  base: () => ({ version: form.elements.version.value }),
  recorded(item) {
    if (item.result && !kept.queue.waiting().length && !kept.queue.held().length)
      location.assign(`/matches/${root.dataset.match}`);
  },
  refused(_, answer) {
    if (answer.head) form.elements.version.value = answer.head; // what others did is said
  },
});

// What was laid in an earlier visit is replaced, which the shelf tells once it is open.
async function keep() {
  await store.ready;
  const before = store.typedOn(kept.here, own.form, own.named);
  const typed = { cards, chosen: choices.map((each) => each.value) };
  if (before) store.keep({ ...before, typed });
  else store.add({ ...kept.here, ...own, page: location.pathname, typed, layout: true });
}

// What was tapped before is laid again, unless somebody has begun anew meanwhile.
store.ready.then(() => {
  const before = store.typedOn(kept.here, own.form, own.named)?.typed;
  if (!before || cards.length) return;
  cards = before.cards.filter((each) => buttons.has(each)).slice(0, squares.length);
  choices.forEach((each, at) => (each.value = before.chosen[at] ?? each.value));
  draw();
});

form.addEventListener("change", keep);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form)).toString();
  const sent = { action: form.getAttribute("action"), body, same: body, said: own.named, ...own };
  if (kept.queue.waiting().at(-1)?.same !== body) kept.add({ ...sent, result: true, layout: true });
});

function draw() {
  squares.forEach((square, at) => {
    const from = buttons.get(cards[at]);
    square.className = from ? from.className : `spot${at === cards.length ? " next-one" : ""}`;
    square.textContent = from ? from.textContent.trim() : names[at];
  });
  for (const [code, button] of buttons) button.disabled = cards.includes(code);
  field.value = cards.join(" ");
  undo.disabled = !cards.length;
  laid.disabled = cards.length < squares.length;
  const next = names[cards.length];
  told.textContent = next ?
    worded("{0} of {1}, next {2}", cards.length, squares.length, next) :
    worded("{0} of {1}", cards.length, squares.length);
}

// The last square is of the only card that is left.
function add(code) {
  if (!buttons.has(code) || cards.includes(code) || cards.length === squares.length) return;
  cards.push(code);
  if (cards.length === squares.length - 1 && buttons.size === squares.length)
    cards.push([...buttons.keys()].find((each) => !cards.includes(each)));
  keep();
  draw();
  if (cards.length === squares.length) laid.focus();
}

function back() {
  cards = cards.slice(0, cards.length === squares.length ? -2 : -1);
  keep();
  draw();
}

pack.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) add(button.dataset.key);
});
undo.addEventListener("click", back);

let suit = "";
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, textarea")) return;
  const typed = event.key.toUpperCase();
  if (typed === "BACKSPACE" || typed === "U") back();
  else if ("SHDC".includes(typed)) suit = typed;
  else if (typed === "X" || typed === "-") add([...buttons.keys()].find((each) => each[0] === "X") ?? "");
  else if (buttons.has(suit + typed)) {
    add(suit + typed);
    suit = "";
  } else return;
  event.preventDefault();
});

for (const each of [board, pack, undo]) each.hidden = false;
form.querySelector("[data-plain]").hidden = true;
draw();

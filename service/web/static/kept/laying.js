// A layout in reading order: a tap on a card fills the next square. What is tapped is kept on this phone until the deal
// has begun, and sent as every tap is, so that a reload or a lost network takes none of it away.
import { rebase } from "./queue.js";
import * as store from "./store.js";
import { addressOf } from "./offers.js";

// `number` is the deal that it is, on a page that says it, else what the table `offer`ed tells; `base` is what the deal
// builds on, where the form does not know it; keys are heard on `keys`; `done` is told that it was laid.
export function makeLaying(form, kept, { number, offer, base, keys = form, done }) {
  const board = form.querySelector("[data-layout]");
  const pack = form.querySelector("[data-pack]");
  const field = form.querySelector("textarea");
  const [undo, laid] = ["undo", "laid"].map((key) => form.querySelector(`[data-key="${key}"]`));
  const squares = [...board.querySelectorAll(".spot")];
  const names = squares.map((each) => each.textContent);
  const buttons = new Map([...pack.querySelectorAll("button")].map((each) => [each.dataset.key, each]));
  const choices = [...form.querySelectorAll("select")];
  let cards = [];

  // Which deal it is: the one behind those that wait.
  function own() {
    const at = number ?? offer.deals + kept.queue.cards().deals + 1;
    form.dataset.typing = `layout ${at}`;
    return { form: `layout ${at}`, named: worded("Layout of deal {0}", at) };
  }

  const before = () => store.typedOn(kept.here, own().form, own().named);

  // What was laid in an earlier visit is replaced, which the shelf tells once it is open.
  async function keep() {
    await store.ready;
    const item = before();
    const typed = { cards, chosen: choices.map((each) => each.value) };
    if (item) store.keep({ ...item, typed });
    else if (cards.length) store.add({ ...kept.here, ...own(), page: `${addressOf()}/layout`, typed, layout: true });
  }

  // What was tapped before is laid again, unless somebody has begun anew meanwhile.
  function again() {
    const { typed } = before() ?? {};
    if (!typed || cards.length) return;
    form.closest("details")?.setAttribute("open", "");
    cards = typed.cards.filter((each) => buttons.has(each)).slice(0, squares.length);
    choices.forEach((each, at) => (each.value = typed.chosen[at] ?? each.value));
    draw();
  }

  form.addEventListener("change", keep);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (cards.length < squares.length) return;
    const body = new URLSearchParams(new FormData(form)).toString();
    const sent = { action: form.getAttribute("action"), body, same: body, said: own().named, ...own() };
    const item = { ...sent, inTurn: false, result: true, layout: true, laid: cards };
    if (kept.queue.waiting().at(-1)?.same === body) return;
    kept.add(base ? rebase(item, base()) : item);
    done?.(item);
    if (number) return; // the page goes to its table
    cards = [];
    draw();
    form.closest("details").open = false;
  });

  function draw() {
    own();
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
    form.querySelector("[data-count]").textContent = next ?
      worded("{0} of {1}, next {2}", cards.length, squares.length, next) :
      worded("{0} of {1}", cards.length, squares.length);
  }

  // The last square is of the only card that is left.
  function add(code) {
    if (!buttons.has(code) || cards.includes(code) || cards.length === squares.length) return;
    cards = [...cards, code];
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
  keys.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, textarea")) return;
    if (form.hidden) return;
    const typed = event.key.toUpperCase();
    if (typed === "BACKSPACE" || typed === "U") back();
    else if ("SHDC".includes(typed)) suit = typed;
    else if (typed === "X" || typed === "-") add([...buttons.keys()].find((each) => each[0] === "X") ?? "");
    else if (buttons.has(suit + typed)) {
      add(suit + typed);
      suit = "";
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  for (const each of [board, pack, undo]) each.hidden = false;
  form.querySelector("[data-plain]").hidden = true;
  draw();
  if (location.pathname.endsWith("/layout") && !kept.queue.cards().begun) form.closest("details")?.setAttribute("open",
    "");
  store.ready.then(again);
}

// The live table: it follows its match by server-sent events and sends taps without leaving the page. What does not
// arrive is kept and repeated under its first key (kept/), so that nothing is recorded twice or lost.
import { chosen, choose, playThere, squareFirst } from "./boards.js";
import { makeKeys } from "./keys.js";
import { keptOn } from "./kept/page.js";
import { eraOf, shownOn, versionOf } from "./kept/shown.js";
import { blank, read, seen, tapped } from "./kept/tapped.js";

const table = document.querySelector("[data-live]");
const said = document.querySelector("#said");
const dialog = document.querySelector("#ask");

// What is there already is not drawn again, and nothing is while a finger is down: a tap must not lose its button.
let down = false;
let next = null; // what came meanwhile, or while taps were under way
let own = null; // what our own last tap made of the table, while that is not drawn yet
function show(html) {
  if (down) {
    next = html;
    return;
  }
  const made = own?.version ?? 0;
  own = null;
  next = null;
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const anew = eraOf(fresh.content) !== eraOf(table);
  if (anew || versionOf(fresh.content) >= made) kept.queue.drawn();
  if (!anew && versionOf(fresh.content) < versionOf(table)) return;
  if (fresh.innerHTML.trim() === table.innerHTML.trim()) return;
  const focused = document.activeElement?.dataset?.key;
  const within = table.contains(document.activeElement);
  const typed = table.querySelectorAll("details[open][data-key]"); // a reason that is being written stays
  const same = !anew && versionOf(fresh.content) === versionOf(table);
  const told = same && table.querySelector(":scope > [role=alert]");
  const picked = chosen(table);
  const claim = same && table.querySelector(".claim"); // opened or closed by hand, it stays so
  const closed = picked.square || (claim && !claim.open);
  table.innerHTML = html;
  choose(table, picked); // a card whose square is still to be tapped stays chosen, and so does a square
  if (closed) table.querySelector(".claim")?.removeAttribute("open");
  else if (claim?.open) table.querySelector(".claim")?.setAttribute("open", "");
  // what the own tap was told stays until something happens
  if (told && !table.querySelector(":scope > [role=alert]")) table.prepend(told);
  for (const old of typed) {
    const fresh = table.querySelector(`details[data-key="${old.dataset.key}"]`);
    if (written(old)) fresh?.replaceWith(old);
    else if (fresh) {
      fresh.open = true;
      chooseAgain(old, fresh);
    }
  }
  const line = table.querySelector("[data-said]")?.dataset.said ?? "";
  const waits = same && picked.square; // which square was chosen is told, and nothing has happened since
  if (!waits && said.textContent !== line) said.textContent = line;
  kept.redraw();
  count(kept.queue);
  without?.later(offer);
  if (within) {
    const again = focused && table.querySelector(`[data-key="${CSS.escape(focused)}"]`);
    (again || table.querySelector(".entry button"))?.focus({ preventScroll: true });
  }
  pressed.again();
}

// A text that somebody is writing there.
function written(details) {
  return [...details.querySelectorAll("input:not([type=hidden]), textarea")].some(
    (each) => each.value !== each.defaultValue || each === document.activeElement,
  );
}

// What somebody chose in a list there is chosen still, where it is offered still.
function chooseAgain(old, fresh) {
  for (const each of old.querySelectorAll("form[action] select")) {
    if (each.value === ([...each.options].find((one) => one.defaultSelected) ?? each.options[0])?.value) continue;
    const form = `form[action="${each.form.getAttribute("action")}"]`;
    const now = fresh.querySelector(`${form} select[name="${each.name}"]`);
    if ([...(now?.options ?? [])].some((one) => one.value === each.value)) now.value = each.value;
  }
}

// What the next tap builds on: what our own last one has made of what is shown.
const base = () => ({ ...shownOn(table), ...own });

const kept = keptOn(document.querySelector("#kept"), {
  base,
  recorded(_, answer) {
    if (!answer.version) return;
    const { version, turn, asked, takes } = answer;
    own = { version, turn, asked, takes };
    if (answer.table) show(answer.table);
  },
  refused(_, answer) {
    if (answer.table) show(answer.table);
  },
  changed(queue) {
    stand(queue);
    count(queue);
    if (queue.busy) table.setAttribute("aria-busy", "true");
    else {
      table.removeAttribute("aria-busy");
      if (next !== null) show(next);
    }
    pressed.again();
  },
});

const pressed = makeKeys(table, kept.queue);

// How many taps are on their way, in the bar at the bottom; a card that was tapped is blank before it is recorded, and
// lies on its square.
function count(queue) {
  blank(table, queue, shownOn(table).gone);
  without?.paint(table, without.offered(), queue, lost(queue));
}

const lost = (queue) => queue.lost && queue.waiting().length > 0;

// While nobody answers, everything that was offered here can be tapped. What that needs comes after everything else.
let without = null;
let away = null;

async function prepare() {
  try {
    without = await import("./kept/away.js");
  } catch {
    setTimeout(prepare, 3000); // the network is away already
    return;
  }
  const act = (tap, button) => {
    without.offerTapped(kept, without.offered(), tap, button, base());
    count(kept.queue);
  };
  const people = JSON.parse(document.querySelector("#kept").dataset.people);
  away = without.makeAway(table, said, { act, kept: () => kept, base, people });
  without.later(offer);
}

function stand(queue) {
  if (!down) away?.(lost(queue), without.offered());
}

// Asks before what one tap is too little for.
function asked(question, yes) {
  if (!dialog.showModal) return Promise.resolve(window.confirm(question));
  dialog.querySelector("p").textContent = question;
  dialog.querySelector("[value=yes]").textContent = yes;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true });
  });
}

for (const button of dialog.querySelectorAll("button")) {
  button.addEventListener("click", () => dialog.close(button.value));
}

// Taps wait for each other: the next one is meant on top of the one before, and goes with the version that came of it.
table.addEventListener("submit", async (event) => {
  if (event.target.matches("[data-now]")) return; // sent as it is and kept nowhere: a PIN, a name
  event.preventDefault();
  if (event.submitter?.matches(".blank")) return;
  const form = event.target;
  const body = new URLSearchParams(new FormData(form, event.submitter));
  const tap = tapped(table, form, event.submitter, body, { on: base(), own, offer: without?.offered() });
  if (form.dataset.asks && !(await asked(form.dataset.asks, read(event.submitter)))) return;
  if (form.dataset.asks) tap.body += "&sure=1";
  if (kept.queue.twice(tap.same)) return;
  kept.add(tap);
  count(kept.queue);
  choose(table);
  for (const each of form.querySelectorAll("[data-once]")) each.checked = false; // it was meant for this tap
  event.target.closest("details[data-key]")?.removeAttribute("open");
});

table.addEventListener("pointerdown", () => {
  down = true;
});
for (const end of ["pointerup", "pointercancel"]) {
  window.addEventListener(end, () =>
    setTimeout(() => {
      down = false;
      if (next !== null && !kept.queue.busy) show(next);
      stand(kept.queue);
    }),
  );
}

// What is offered here is remembered for a page without a network.
function offer() {
  const buttons = table.querySelectorAll(".grid52 button, .entry .calls button, .dock .next form button");
  const taps = [...buttons]
    .filter((button) => button.form && !button.form.matches("[data-now], [data-asks]"))
    .map((button) => {
      const body = new URLSearchParams(new FormData(button.form, button));
      const tap = tapped(table, button.form, button, body, { on: base(), own });
      const css = button.className.replace("blank", "").trim();
      return { ...tap, text: seen(button), css, call: button.dataset.call };
    });
  const good = taps.filter((tap) => tap.inTurn || tap.action.endsWith("/deals"));
  const { nextDeal } = table.querySelector(".dock")?.dataset ?? {};
  const { broughtAlong, dealAfter, keepOffer, lookingAhead, lyingOn } = without;
  if (nextDeal) good.push(dealAfter(nextDeal, base().version));
  const { secret: hides } = table.querySelector(".entry")?.dataset ?? {};
  const brought = broughtAlong();
  const now = { ...base(), hides, secret: hides === "every", ...brought };
  const ahead = lookingAhead(table, base().version);
  keepOffer(kept.here, { ...now, lying: lyingOn(table, brought), ahead, taps: good });
}

// What is folded away at the bottom closes when something else is tapped, but for the choice of its numbers.
document.addEventListener("click", (event) => {
  for (const each of table.querySelectorAll(".dock details[name][open]"))
    if (!(each.contains(event.target) || event.target.closest(".sheets") || written(each))) each.open = false;
});

table.addEventListener("click", (event) => {
  const square = squareFirst(table, event);
  if (square) said.textContent = worded("Chosen: {0}. Now its card.", square);
});
table.addEventListener("change", ({ target }) => {
  if (target.matches(".picks input:not(:focus-visible)")) playThere(table, !kept.queue.cards().facts.length);
});

function hear(message) {
  if (kept.queue.busy) next = message.data;
  else show(message.data);
}
listen(table.dataset.live, hear, tellEnd); // of ended.js

document.addEventListener("keydown", pressed);
for (const each of window.heldKeys?.() ?? []) each(pressed); // of early.js
if (document.readyState === "complete") prepare();
else window.addEventListener("load", () => setTimeout(prepare));

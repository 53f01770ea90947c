// The live table: it follows its match by server-sent events and sends taps without leaving the page. What does not
// arrive is kept and repeated under its first key (kept/), so that nothing is recorded twice or lost.
import { boardKey, chosen, choose } from "./boards.js";
import { keepOffer, later } from "./kept/offers.js";
import { keptOn } from "./kept/page.js";

const table = document.querySelector("[data-live]");
const said = document.querySelector("#said");
const dialog = document.querySelector("#ask");

function versionOf(part) {
  return Number(part.querySelector("h1")?.dataset.version ?? 0);
}

// What is there already is not drawn again, and nothing is while a finger is down: a tap must not lose its button.
let down = false;
let next = null; // what came meanwhile, or while taps were under way
let own = null; // what our own last tap made of the table, while that is not drawn yet
function show(html) {
  if (down) {
    next = html;
    return;
  }
  own = null;
  next = null;
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  if (versionOf(fresh.content) < versionOf(table)) return;
  if (fresh.innerHTML.trim() === table.innerHTML.trim()) return;
  const focused = document.activeElement?.dataset?.key;
  const within = table.contains(document.activeElement);
  const typed = table.querySelectorAll("details[open][data-key]"); // a reason that is being written stays
  const told = versionOf(fresh.content) === versionOf(table) && table.querySelector(":scope > [role=alert]");
  const picked = chosen(table);
  table.innerHTML = html;
  choose(table, picked); // a card whose square is still to be tapped stays chosen
  // what the own tap was told stays until something happens
  if (told && !table.querySelector(":scope > [role=alert]")) table.prepend(told);
  for (const old of typed) {
    const fresh = table.querySelector(`details[data-key="${old.dataset.key}"]`);
    if (written(old)) fresh?.replaceWith(old);
    else if (fresh) fresh.open = true;
  }
  const line = table.querySelector("[data-said]")?.dataset.said ?? "";
  if (said.textContent !== line) said.textContent = line;
  kept.redraw();
  count(kept.queue);
  later(offer);
  if (!within) return;
  const same = focused && table.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  (same || table.querySelector(".entry button"))?.focus({ preventScroll: true });
}

// A text that somebody is writing there.
function written(details) {
  return [...details.querySelectorAll("input:not([type=hidden]), textarea")].some(
    (each) => each.value !== each.defaultValue || each === document.activeElement,
  );
}

// What the next tap builds on: the version of the match, and the seat whose turn it is.
function base() {
  const turn = table.querySelector(".entry")?.dataset.turn || null;
  return own ?? { version: versionOf(table), turn };
}

const kept = keptOn(document.querySelector("#kept"), {
  base,
  recorded(_, answer) {
    if (!answer.table) return;
    own = { version: answer.version, turn: answer.turn };
    show(answer.table);
  },
  refused(_, answer) {
    if (answer.table) show(answer.table);
  },
  changed(queue) {
    count(queue);
    if (queue.busy) table.setAttribute("aria-busy", "true");
    else {
      table.removeAttribute("aria-busy");
      if (next !== null) show(next);
    }
  },
});

// How many taps are on their way, in the bar at the bottom; a card that was tapped is blank before it is recorded.
function count(queue) {
  const blank = queue.cards().cards;
  for (const each of table.querySelectorAll(".grid52 button")) {
    each.classList.toggle("blank", blank.has(each.value));
    if (blank.has(each.value)) each.setAttribute("aria-disabled", "true");
    else each.removeAttribute("aria-disabled");
  }
  const waiting = queue.waiting().length;
  const place = table.querySelector("[data-unsent]");
  if (place) place.textContent = waiting ? worded("{0} unsent|{0} unsent", waiting) : "";
}

// A text as it is said, and as it is seen: the lines of the template's source are none of the page's.
const read = (element) => without(element, "[aria-hidden=true]");
const seen = (element) => without(element, ".hidden");

function without(element, what) {
  const text = element.cloneNode(true);
  for (const each of text.querySelectorAll(what)) each.remove();
  return text.textContent.trim().replace(/\s+/g, " ");
}

// What a tap says, without names: they stand on the page.
function words(form, button) {
  const unusual =
    "select:not([name=seat]), [type=number], [type=radio]:checked:not([checked]), [type=checkbox]:checked";
  const chosen = [...form.querySelectorAll(unusual)];
  const texts = chosen.map((each) => {
    const text = each.selectedOptions?.[0] ?? (each.matches("[type=radio], [type=checkbox]") ? each.parentElement :
      null);
    return each.getAttribute("aria-label") ?? (text ? read(text) : each.value);
  });
  return [button.getAttribute("aria-label") ?? read(button), ...texts].join(" ");
}

function tapped(form, button, body) {
  const fact = body.has("fact") ? JSON.parse(body.get("fact")) : { do: body.get("do"), seat: body.get("seat") };
  const secret = form.closest("[data-secret]")?.dataset.secret;
  const same = `${form.action} ${body}`;
  // nobody chose the seat: it is that of whose turn it will be when the taps before this one have arrived
  const turn = table.querySelector("[data-turn]")?.dataset.turn;
  const called = body.has("fact") && turn === String(fact.seat);
  const inTurn = called || body.get("seat") === form.elements.seat?.querySelector?.("option[selected]")?.value;
  if (called) body.set("seat", turn);
  if (own && body.has("version")) body.set("version", own.version);
  if (own && inTurn && own.turn != null) body.set("seat", own.turn);
  return {
    action: form.getAttribute("action"),
    body: body.toString(),
    seat: inTurn ? body.get("seat") : (fact.seat ?? null),
    inTurn,
    card: button.closest(".grid52") ? button.value : null,
    same,
    said: words(form, button),
    hidden: form.action.endsWith("/facts") && (secret === "every" || secret?.split(" ").includes(fact.do)),
  };
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
  const tap = tapped(form, event.submitter, body);
  if (form.dataset.asks && !(await asked(form.dataset.asks, read(event.submitter)))) return;
  if (form.dataset.asks) tap.body += "&sure=1";
  if (kept.queue.waiting().at(-1)?.same === tap.same) return; // a double tap on one button
  kept.add(tap);
  count(kept.queue);
  choose(table, null);
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
    }),
  );
}

// What is offered here is remembered for a page that starts without a network.
function offer() {
  const buttons = table.querySelectorAll(".grid52 button, .entry .calls button, .dock .next form button");
  const taps = [...buttons]
    .filter((button) => button.form && !button.form.matches("[data-now], [data-asks]"))
    .map((button) => {
      const tap = tapped(button.form, button, new URLSearchParams(new FormData(button.form, button)));
      return { ...tap, text: seen(button), css: button.className.replace("blank", "").trim() };
    });
  const good = taps.filter((tap) => tap.inTurn || tap.action.endsWith("/deals"));
  const { nextDeal, gone } = table.querySelector(".dock")?.dataset ?? {};
  if (nextDeal) good.push(dealAfter(nextDeal));
  keepOffer(kept.here, { ...base(), taps: good, gone: gone?.split(" ") ?? [] });
}

// The deal after the one that is on, which nothing on the page begins yet.
function dealAfter(said) {
  const action = `${location.pathname}/deals`;
  const body = `version=${base().version}`;
  const whose = { seat: null, inTurn: false, card: null };
  return { action, body, ...whose, same: `${action} ${body}`, said, hidden: false, text: said, css: "secondary" };
}

// What is folded away at the bottom closes when something else is tapped.
document.addEventListener("click", (event) => {
  for (const each of table.querySelectorAll(".dock details[name][open]"))
    if (event.target.closest("[data-close]") || !(each.contains(event.target) || written(each))) each.open = false;
});

const source = new EventSource(table.dataset.live);
tellEnd(source); // of ended.js
source.onmessage = (message) => {
  if (kept.queue.busy) next = message.data;
  else show(message.data);
};
window.addEventListener("pagehide", () => source.close());

let suit = "";
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches(
      "input:not([type=radio]), select, textarea")) return;
  const typed = event.key.toUpperCase();
  if (!suit && boardKey(table, event)) return;
  const led = table.querySelector(".entry")?.dataset.led ?? "";
  const call = table.querySelector(".grid52") ? null : table.querySelector(`[data-call="${CSS.escape(typed)}"]`);
  if (call) call.click();
  else if ("SHDCX".includes(typed)) suit = typed;
  else if (typed === "U" || typed === "BACKSPACE") table.querySelector('[data-key="undo"]')?.click();
  else if ("AKQJT98765432RB".includes(typed)) {
    table.querySelector(`[data-key="${suit || led}${typed}"]`)?.click();
    suit = "";
  } else if (typed === "=" && table.querySelector(".claim")) {
    table.querySelector(".claim").open = true;
    table.querySelector(".claim :is([name=number], [data-key=rest])").focus();
    event.preventDefault();
  } else if (typed === "ESCAPE") {
    suit = "";
    for (const each of table.querySelectorAll(".dock details[name][open]")) each.open = false;
  }
});
later(offer);

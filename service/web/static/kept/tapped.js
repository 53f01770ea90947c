// A tap on a form as it is kept: what is sent, whose turn it was, and how it is said; and that it was tapped is seen.
import { rebase } from "./queue.js";

// A text as it is said, and as it is seen: the lines of the template's source are none of the page's.
export const read = (element) => without(element, "[aria-hidden=true]");
export const seen = (element) => without(element, ".hidden");

function without(element, what) {
  const text = element.cloneNode(true);
  for (const each of text.querySelectorAll(what)) each.remove();
  return text.textContent.trim().replace(/\s+/g, " ");
}

// What a tap says, without names: they stand on the page.
function words(form, button) {
  const unusual =
    "select:not([name=seat]), [type=number], [type=radio]:checked:not([checked]), [type=checkbox]:checked";
  const chosen = [...form.querySelectorAll(unusual)].filter((each) => each.value);
  const texts = chosen.map((each) => {
    const text = each.selectedOptions?.[0] ?? (each.matches("[type=radio], [type=checkbox]") ? each.parentElement :
      null);
    return each.getAttribute("aria-label") ?? (text ? read(text) : each.value);
  });
  return [button.getAttribute("aria-label") ?? read(button), ...texts].join(" ");
}

// `place` is everything of the table, `on` what is shown there, `own` what the last tap made of it, `offer` what the
// table has offered.
export function tapped(place, form, button, body, { on, own, offer }) {
  const fact = body.has("fact") ? JSON.parse(body.get("fact")) : { do: body.get("do"), seat: body.get("seat") };
  const { turn, secret } = place.querySelector(".entry")?.dataset ?? {};
  const same = `${form.action} ${body}`;
  const facts = form.action.endsWith("/facts");
  // nobody chose the seat: it is that of whose turn it will be when the taps before this one have arrived
  const called = body.has("fact") && turn === String(fact.seat);
  const drawn = facts && !body.has("fact") && !body.get("seat"); // a form that knows of no turn
  const usual = body.get("seat") === form.elements.seat?.querySelector?.("option[selected]")?.value;
  const inTurn = called || drawn || usual;
  if (called) body.set("seat", turn);
  if (own && body.has("version")) body.set("version", own.version);
  if (own && inTurn && own.turn != null) body.set("seat", own.turn);
  const board = form.matches(".on-board");
  const item = {
    action: form.getAttribute("action"),
    body: body.toString(),
    seat: inTurn ? body.get("seat") || null : (fact.seat ?? null),
    inTurn,
    card: button.closest(".grid52") ? button.value : (board && body.get("card")) || null,
    same,
    said: words(form, button),
    hidden: facts && (secret === "every" || !!secret?.split(" ").includes(fact.do)),
  };
  if (board) item.square = button.dataset.key;
  if (board && !form.querySelector("[name=do][type=radio]")) item.words = offer?.square?.words;
  const tap = form.closest("[data-part]") ? rebase(item, on) : item;
  return button.closest(".grid52") ? modified(place, tap) : tap;
}

// The modifier that is on: another word for the card that is tapped next, and for none behind it.
export function modified(place, tap) {
  const on = place.querySelector("[data-part=modifiers] :checked");
  if (!on || !tap.card) return tap;
  on.checked = false;
  const body = new URLSearchParams(tap.body);
  body.set("do", on.value);
  const shown = "shown" in on.dataset; // else it lies in a hand
  const said = `${tap.said} ${on.getAttribute("aria-label")}`;
  const hidden = tap.hidden || "hides" in on.dataset;
  const same = `${tap.same} ${on.value}`;
  return { ...tap, body: body.toString(), same, said, hidden, card: shown ? tap.card : null };
}

// A card that was tapped is blank before it is recorded, and one that is gone stays so until a deal was begun; it is
// faced in no claim.
export function blank(place, queue, gone) {
  const { begun, cards } = queue.cards();
  const over = (card) => cards.has(card) || (!begun && gone.includes(card));
  for (const each of place.querySelectorAll(":is(.grid52, .offers) button")) {
    each.classList.toggle("blank", over(each.value));
    if (over(each.value)) each.setAttribute("aria-disabled", "true");
    else each.removeAttribute("aria-disabled");
  }
  for (const each of place.querySelectorAll("[name^='faced.']"))
    each.parentElement.hidden = over(each.name.slice("faced.".length));
  const number = queue.waiting().length;
  const unsent = place.querySelector("[data-unsent]");
  if (unsent) unsent.textContent = number ? worded("{0} unsent|{0} unsent", number) : "";
}

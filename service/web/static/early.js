// Keys that are typed before the table's script has come are held until it asks for them, and so is a tap behind them:
// what is done first counts first. A tap without keys before it is sent as a form; keys behind that go with the browser
// to the page that answers it. A page that gets no script goes on by its forms alone. This file is there before
// anything of the page is drawn, so that no key is too early.
const BETWEEN = "lurch.early";
const TYPED = "input:not([type=radio], [type=checkbox]), select, textarea"; // a text, perhaps a PIN
const early = [];
let keys = []; // the same, as far as they are keys

function again([key, code]) {
  keys.push([key, code]);
  early.push(() => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true })));
}

function press(event) {
  if (early.length === 100 || event.altKey || event.ctrlKey || event.metaKey || event.target.matches(TYPED)) return;
  keys.push([event.key, event.code]);
  early.push((pressed) => pressed(event));
}

function tap(event) {
  if (!early.length) return;
  event.preventDefault();
  early.push(() => event.target.requestSubmit(event.submitter));
}

function heldKeys() {
  document.removeEventListener("keydown", press);
  document.removeEventListener("submit", tap);
  keys = [];
  return early.splice(0);
}

try {
  const [where, before] = JSON.parse(sessionStorage.getItem(BETWEEN)) ?? [];
  sessionStorage.removeItem(BETWEEN);
  if (where === location.pathname) before.forEach(again);
  window.addEventListener("pagehide", () => {
    if (keys.length) sessionStorage.setItem(BETWEEN, JSON.stringify([location.pathname, keys]));
  });
} catch {
  // a browser may refuse to keep anything
}
document.addEventListener("keydown", press);
document.addEventListener("submit", tap);
window.addEventListener("load", () => setTimeout(() => heldKeys().forEach((each) => each(() => {}))));

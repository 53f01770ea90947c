// The layout in reading order: a tap on a card fills the next square. What is tapped stays in this tab's storage until
// the deal has begun, so that a reload or a lost network takes none of it away.
const form = document.querySelector(".layout-form");
const board = form.querySelector("[data-layout]");
const pack = form.querySelector("[data-pack]");
const field = form.querySelector("textarea");
const told = document.querySelector("[data-count]");
const [undo, laid] = ["undo", "laid"].map((key) => form.querySelector(`[data-key="${key}"]`));
const squares = [...board.querySelectorAll(".spot")];
const names = squares.map((each) => each.textContent);
const buttons = new Map([...pack.querySelectorAll("button")].map((each) => [each.dataset.key, each]));
const key = `layout ${board.dataset.layout}`;

function kept() {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(found) ? found.filter((each) => buttons.has(each)).slice(0, squares.length) : [];
  } catch {
    return [];
  }
}

let cards = kept();

function keep() {
  try {
    sessionStorage.setItem(key, JSON.stringify(cards));
  } catch {
    // a browser that keeps nothing: a reload begins anew
  }
}

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
  told.textContent = `${cards.length} of ${squares.length}${next ? `, next ${next}` : ""}`;
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

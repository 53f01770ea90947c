// A board at the table: the card that is chosen for it, or the square that is chosen before its card, and their keys.
export function chosen(table) {
  const square = table.querySelector(".on-board .board [aria-pressed]")?.dataset.key ?? null;
  return { card: table.querySelector(".on-board [name=card]:checked")?.value ?? null, square };
}

export function choose(table, { card = null, square = null } = {}) {
  for (const each of table.querySelectorAll(".on-board [name=card]")) each.checked = each.value === card;
  for (const each of table.querySelectorAll(".on-board .board button")) {
    if (each.dataset.key === square) each.setAttribute("aria-pressed", "true");
    else each.removeAttribute("aria-pressed");
  }
}

// A square that is tapped while its card is still to be told waits for it; the last card needs no choice. Returns the
// square that waits now, as it is called.
export function squareFirst(table, event) {
  const spot = event.target.closest(".on-board .board button");
  const cards = table.querySelectorAll(".on-board [name=card][required]");
  const { card, square } = chosen(table);
  if (!spot || !cards.length || card !== null) return "";
  if (cards.length === 1) {
    cards[0].checked = true;
    return "";
  }
  event.preventDefault();
  const again = spot.dataset.key === square;
  choose(table, { square: again ? null : spot.dataset.key });
  return again ? "" : spot.getAttribute("aria-label");
}

// The card that is tapped next plays there, or as the `first` one on the only square that there is. Keys only walk
// through the cards: Enter says which one it is.
export function playThere(table, first) {
  const squares = table.querySelectorAll(".on-board .board button");
  const alone = first && squares.length === 1;
  const spot = alone ? squares[0] : table.querySelector(".on-board .board [aria-pressed]");
  if (spot && chosen(table).card !== null) spot.form.requestSubmit(spot);
}

// Every card below a board has a key of its own by its place: the suits are the rows of the keyboard, as they lie.
const ROWS = [
  ["Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "Digit6", "Digit7", "Digit8"],
  ["KeyQ", "KeyW", "KeyE", "KeyR", "KeyT", "KeyY", "KeyU", "KeyI"],
  ["KeyA", "KeyS", "KeyD", "KeyF", "KeyG", "KeyH", "KeyJ", "KeyK"],
  ["KeyZ", "KeyX", "KeyC", "KeyV", "KeyB", "KeyN", "KeyM", "Comma"],
];

function byPlace(table, code) {
  const row = ROWS.findIndex((each) => each.includes(code));
  const suit = table.querySelectorAll(".on-board .picks .suit:not(.half)")[row];
  if (!suit) return false;
  suit.children[ROWS[row].indexOf(code)]?.querySelector("input")?.click();
  return true;
}

// A square is typed as it is called, letter and number, once its card is chosen. Returns whether the key was for that;
// null where no such square is there, for a board grows with the card that is on its way.
let column = "";
export function boardKey(table, event, growing) {
  const board = table.querySelector(".on-board .board");
  const needed = table.querySelector(".on-board [name=card][required]");
  const key = event.key.toLowerCase();
  if (key === "escape") {
    column = "";
    choose(table);
  }
  if (key === "enter" && event.target.matches(".picks input")) {
    event.preventDefault(); // it would tap the first square
    playThere(table, false);
    return true;
  }
  if (!board || key.length !== 1) return false;
  // a suit in capitals is named: its rank follows, as at any table
  if (needed && chosen(table).card === null) return !/^[SHDC]$/.test(event.key) && byPlace(table, event.code);
  const there = (name) => board.querySelector(`[data-key="${CSS.escape(name)}"]`);
  if (/^[a-z]$/.test(key) && board.querySelector(`[data-key^="${key}"]`)) {
    column = key;
    return true;
  }
  if (!column || !/^[0-9]$/.test(key)) return false;
  const spot = there(column + key);
  if (!spot && growing()) return null;
  column = "";
  spot?.click();
  return true;
}

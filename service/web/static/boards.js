// A board at the table: the card that is chosen for it, and squares by their keys.
export function chosen(table) {
  return table.querySelector(".on-board [name=card]:checked")?.value ?? null;
}

export function choose(table, card) {
  for (const each of table.querySelectorAll(".on-board [name=card]")) each.checked = each.value === card;
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

// A square is typed as it is called, letter and number, once its card is chosen. Returns whether the key was for that.
let column = "";
export function boardKey(table, event) {
  const board = table.querySelector(".on-board .board");
  const needed = table.querySelector(".on-board [name=card][required]");
  const key = event.key.toLowerCase();
  if (key === "escape") {
    column = "";
    choose(table, null);
  }
  if (!board || key.length !== 1) return false;
  // a suit in capitals is named: its rank follows, as at any table
  if (needed && chosen(table) === null) return !/^[SHDC]$/.test(event.key) && byPlace(table, event.code);
  const there = (name) => board.querySelector(`[data-key="${CSS.escape(name)}"]`);
  if (/^[a-z]$/.test(key) && board.querySelector(`[data-key^="${key}"]`)) {
    column = key;
    return true;
  }
  if (!column || !/^[0-9]$/.test(key)) return false;
  there(column + key)?.click();
  column = "";
  return true;
}

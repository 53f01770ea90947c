// A board at the table: the card that is chosen for it, and squares by their keys.
export function chosen(table) {
  return table.querySelector(".on-board [name=card]:checked")?.value ?? null;
}

export function choose(table, card) {
  for (const each of table.querySelectorAll(".on-board [name=card]")) each.checked = each.value === card;
}

// A square is typed as it is called, letter and number, once its card is chosen. Returns whether the key was for that.
let column = "";
export function boardKey(table, typed) {
  const board = table.querySelector(".on-board .board");
  const picks = table.querySelector(".on-board [name=card]");
  if (typed === "ESCAPE") {
    column = "";
    choose(table, null);
  }
  if (!board || (picks && chosen(table) === null) || typed.length !== 1) return false;
  const key = typed.toLowerCase();
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

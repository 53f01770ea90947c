// The keys of a table: cards by suit and rank, calls, squares, undo, claims.
import { boardKey } from "./boards.js";

// `queue` has what is on its way. A key for a square that comes with it waits, and so does every key behind it, until
// `again` is called: the table was drawn.
export function makeKeys(place, queue) {
  let suit = "";
  const later = [];
  const there = (what) => place.querySelector(`${what}:not(.layout-form *)`);

  function pressed(event) {
    if (later.length) later.push(event);
    else if (press(event) === null) later.push(event);
  }

  function press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches(
        "input:not([type=radio], [type=checkbox]), select, textarea")) return;
    const typed = event.key.toUpperCase();
    const taken = !suit && boardKey(place, event, () => queue.busy && !queue.lost);
    if (taken !== false) return taken;
    const led = queue.lost ? "" : place.querySelector(".entry")?.dataset.led ?? ""; // another trick by now
    const call = place.querySelector(".grid52") ? null : there(`[data-call="${CSS.escape(typed)}"]`);
    if (call) call.click();
    else if ("SHDCX".includes(typed)) suit = typed;
    else if (typed === "U" || typed === "BACKSPACE") there('[data-key="undo"]')?.click();
    else if ("AKQJT98765432RB".includes(typed)) {
      there(`[data-key="${suit || led}${typed}"]`)?.click();
      suit = "";
    } else if (typed === "=" && place.querySelector(".claim")) {
      place.querySelector(".claim").open = true;
      place.querySelector("[data-key=any]")?.click();
      place.querySelector(".claim :is([name=number], [data-key=rest])").focus();
      event.preventDefault();
    } else if (typed === "ESCAPE") {
      suit = "";
      for (const each of place.querySelectorAll(".dock details[name][open]")) each.open = false;
    }
  }

  pressed.again = () => later.splice(0).forEach(pressed);
  return pressed;
}

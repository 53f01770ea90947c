// The keys of a table: cards by suit and rank, calls, squares, undo, claims.
import { boardKey } from "./boards.js";

// `lost` tells that the service is not reached.
export function makeKeys(place, lost) {
  let suit = "";
  const there = (what) => place.querySelector(`${what}:not(.layout-form *)`);

  return function pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches(
        "input:not([type=radio], [type=checkbox]), select, textarea")) return;
    const typed = event.key.toUpperCase();
    if (!suit && boardKey(place, event)) return;
    const led = lost() ? "" : place.querySelector(".entry")?.dataset.led ?? ""; // another trick by now
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
  };
}

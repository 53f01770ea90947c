// Says on every page that taps wait on this phone for other tables, and whose they are.
import { counted, ready } from "./kept/store.js";
import { elsewhere } from "./kept/words.js";

await ready;
const main = document.querySelector("main");
const shown = document.querySelector("#kept") && location.pathname.split("/")[2]; // the shell is told later
const mine = main.dataset.who.split(" ");
const items = counted().filter((item) => item.match !== shown);
const place = document.createElement("div");
Object.assign(place, { id: "waits", className: "problem", role: "status" });
for (const match of new Set(items.map((item) => item.match)))
  for (const who of new Set(items.filter((item) => item.match === match).map((item) => item.who))) {
    const own = items.filter((item) => item.match === match && item.who === who);
    const line = document.createElement("p");
    line.append(elsewhere(own, mine.includes(who) ? worded("yours") : own[0].called));
    if (mine.includes(who)) {
      const link = document.createElement("a");
      Object.assign(link, { href: `/matches/${match}`, textContent: worded("Go to that table") });
      line.append(" ", link);
    }
    place.append(line);
  }
if (items.length) main.prepend(place);

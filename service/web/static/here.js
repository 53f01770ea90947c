// Who is in at this table: asked every few seconds while the page is looked at, so that this phone is heard, and that
// another one which asks for its name is answered.
const SECONDS = 5;
const place = document.querySelector("[data-here]");
let over = false;

async function ask() {
  if (over || document.hidden) return;
  try {
    const answer = await fetch(place.dataset.here, { headers: { Accept: "text/html" } });
    if (!answer.headers.get("X-Table")) return;
    const fresh = document.createElement("template");
    fresh.innerHTML = await answer.text();
    over = Boolean(fresh.content.querySelector("[data-over]"));
    draw(fresh);
  } catch {
    // no connection: asked again
  }
}

// What was opened stays open, and a button that is in use stays where it is.
function draw(fresh) {
  if (place.contains(document.activeElement) && document.activeElement.matches("button")) return;
  const open = place.querySelector("details")?.open ?? false;
  place.replaceChildren(fresh.content);
  const details = place.querySelector("details");
  if (details) details.open = open;
}

ask();
setInterval(ask, SECONDS * 1000);
document.addEventListener("visibilitychange", ask);
window.addEventListener("signed-out", () => {
  over = true;
});

// The director's tables: who comes in, and who asks to, shows by itself, unless something there is being used.
const SECONDS = 5;

async function draw() {
  const place = document.querySelector("[data-tables]");
  if (document.hidden || place.querySelector("details[open]") || place.contains(document.activeElement)) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-tables]");
    if (fresh) place.innerHTML = fresh.innerHTML;
  } catch {
    // no connection: asked again
  }
}

setInterval(draw, SECONDS * 1000);

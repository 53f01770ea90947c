// What best play would have given, put beside the ruling when it is asked for; the page stays as it is meanwhile.
window.addEventListener("DOMContentLoaded", () => {
  const link = document.querySelector("[data-equity]");
  const place = document.querySelector("#equity");
  if (!link || !place) return;
  let asked = false;

  async function show() {
    place.setAttribute("aria-busy", "true");
    place.textContent = worded("It is worked out: a few seconds.");
    try {
      const answer = await fetch(link.href, { headers: { Accept: "text/html" } });
      const told = new DOMParser().parseFromString(await answer.text(), "text/html");
      place.replaceChildren(...(told.querySelector("#equity")?.childNodes ?? [worded("It cannot be told now.")]));
    } catch {
      place.textContent = worded("No connection: ask again.");
      asked = false;
    }
    place.removeAttribute("aria-busy");
  }

  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey) return; // in a tab of its own
    event.preventDefault();
    if (asked) return;
    asked = true;
    show();
  });
});

// The result that the taps so far give, shown before anything is recorded; the last question asked is answered.
window.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("[data-preview]");
  const place = document.querySelector("#preview");
  const uncounted = place.innerHTML;
  let asked = 0;
  let wait = 0;

  async function show() {
    const own = ++asked;
    const query = new URLSearchParams(new FormData(form));
    try {
      const answer = await fetch(`${form.dataset.preview}?${query}`, { headers: { Accept: "text/html" } });
      const text = answer.ok ? await answer.text() : uncounted;
      if (own === asked) place.innerHTML = text;
    } catch {
      if (own === asked) place.innerHTML = uncounted; // no network: nothing is said about what was not counted
    }
  }

  show(); // what was answered before this was heard, or is filled in
  form.addEventListener("change", show);
  form.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(show, 250);
  });
});

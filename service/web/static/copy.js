// One tap copies what a link leads to: its address, or with `data-copy="text"` the plain text behind it. Without TLS a
// browser has no clipboard for pages, and the older way is taken.
async function copied(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("not copied");
}

document.addEventListener("click", async (tap) => {
  const link = tap.target.closest("a[data-copy]");
  if (!link) return;
  tap.preventDefault();
  try {
    const text = link.dataset.copy === "text" ? await (await fetch(link.href)).text() : link.href;
    await copied(text);
    document.querySelector("#copied").textContent = worded("Copied.");
  } catch {
    location.assign(link.href);
  }
});

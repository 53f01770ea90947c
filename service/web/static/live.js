// The live table: each message holds the table's inside as it is now. EventSource comes back by itself.
window.addEventListener("DOMContentLoaded", () => {
  const table = document.querySelector("[data-live]");
  if (!table) return;
  const source = new EventSource(table.dataset.live);
  source.onmessage = (message) => {
    table.innerHTML = message.data;
  };
  window.addEventListener("pagehide", () => source.close());
});

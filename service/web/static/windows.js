// Windows of deals count down: the time stays beside it, for who cannot see it change.
function count() {
  for (const each of document.querySelectorAll("[data-closes]")) {
    const left = Math.max(0, Math.round((Date.parse(each.dataset.closes) - Date.now()) / 1000));
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    const two = (number) => String(number).padStart(2, "0");
    each.textContent = hours > 47 ? "" : ` (${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)})`;
  }
}
count();
setInterval(count, 1000);

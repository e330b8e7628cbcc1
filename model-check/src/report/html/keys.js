"use strict";
// Arrow keys go from step to step; the page is whole without this.
const steps = [...document.querySelectorAll("[data-step]")];
let at = -1;
function go(to) {
  if (at >= 0) steps[at].removeAttribute("aria-current");
  at = to;
  steps[at].setAttribute("aria-current", "step");
  steps[at].scrollIntoView({ block: "nearest" });
}
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const to = at < 0 && by < 0 ? steps.length - 1 : at + by;
  // Beyond the first and the last step the keys scroll, so that the whole page can be read by them.
  if (!by || !steps[to]) return;
  event.preventDefault();
  go(to);
});
steps.forEach((step, place) => step.addEventListener("click", () => go(place)));
for (const table of document.querySelectorAll(".scroll")) {
  table.classList.toggle("wide", table.scrollWidth > table.clientWidth);
}
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.textContent = "copied";
  });
}

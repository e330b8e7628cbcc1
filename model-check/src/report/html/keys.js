"use strict";
// Arrow keys go from step to step; the page is whole without this.
const steps = [...document.querySelectorAll("[data-step]")];
let at = -1;
function go(to) {
  if (to < 0 || to >= steps.length) return;
  if (at >= 0) steps[at].removeAttribute("aria-current");
  at = to;
  steps[at].setAttribute("aria-current", "step");
  steps[at].scrollIntoView({ block: "nearest" });
}
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by || !steps.length) return;
  event.preventDefault();
  go(at < 0 && by < 0 ? steps.length - 1 : at + by);
});
steps.forEach((step, place) => step.addEventListener("click", () => go(place)));
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.textContent = "copied";
  });
}

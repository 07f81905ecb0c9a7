"use strict";
// Everything can be read without this: it filters tables, and opens what a link leads to.
for (const form of document.querySelectorAll("form.filters")) {
  const rows = [...document.getElementById(form.dataset.rows).tBodies];
  const found = form.querySelector("output");
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const filter = () => {
    const asked = new FormData(form);
    const words = asked.get("words").toLowerCase().split(/\s+/);
    const chosen = [...form.querySelectorAll("select")].filter((each) => each.value);
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !(
        chosen.every((each) => row.dataset[each.name] === each.value) &&
        words.every((word) => texts[place].includes(word))
      );
      shown += !row.hidden;
    });
    found.textContent = `${shown} of ${rows.length} shown`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  form.hidden = false;
  filter();
}
// What is too wide to be seen whole can be reached, and then scrolled, from the keyboard.
const reach = () => {
  for (const formula of document.querySelectorAll(".formula")) {
    if (formula.scrollWidth <= formula.clientWidth) {
      formula.removeAttribute("tabindex");
    } else if (!formula.hasAttribute("tabindex")) {
      formula.tabIndex = 0;
      formula.setAttribute("role", "group");
      formula.setAttribute("aria-label", "Formula, wider than its place");
    }
  }
};
document.addEventListener("toggle", reach, true);
addEventListener("resize", reach);
reach();
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const inside = target && target.querySelector(":scope > tr > td > details");
  if (!inside) return;
  target.hidden = false;
  inside.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();

"use strict";
// Everything can be read without this: it filters tables, and opens what a link leads to.
for (const form of document.querySelectorAll("form.filters")) {
  const rows = [...document.getElementById(form.dataset.rows).tBodies];
  const output = form.querySelector("output");
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
    output.textContent = shown ? `${shown} of ${rows.length} shown` : "Nothing matches; “Show all” removes every filter.";
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  form.hidden = false;
  filter();
}
// A slider shows one of a family that is drawn in the page.
for (const slider of document.querySelectorAll(".slider")) {
  const input = slider.querySelector("input");
  const families = slider.closest("section").querySelectorAll(`.family[data-of="${slider.dataset.of}"]`);
  const curves = [...families].at(-1).children;
  const show = () => {
    for (const family of families) {
      [...family.children].forEach((each, number) => each.classList.toggle("chosen", number === input.valueAsNumber));
    }
    slider.querySelector("output").textContent = curves[input.value].textContent;
    input.setAttribute("aria-valuetext", curves[input.value].textContent);
  };
  input.addEventListener("input", show);
  slider.hidden = false;
  show();
}
// A kind of evidence says what it means where the pointer rests on it, as the legend does.
const legend = new Map([...document.querySelectorAll(".legend .proof")].map((each) => [each.textContent, each.closest("div").querySelector("dd").textContent]));
for (const badge of document.querySelectorAll(".proof")) badge.title = legend.get(badge.textContent) ?? "";
// What is too wide to be seen whole says so, and can be reached, and then scrolled, from the keyboard.
const reach = () => {
  for (const box of document.querySelectorAll("div.scroll")) box.classList.toggle("wide", box.scrollWidth > box.clientWidth);
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
// A link opens what it leads to, and whatever that is folded into.
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const inside = target.querySelector(":scope > details, :scope > tr > td > details");
  for (let each = inside ?? target.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
  target.hidden = false;
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();
// The contents mark the section that is read.
const links = [...document.querySelectorAll(".contents a")];
const places = links.map((link) => document.getElementById(link.hash.slice(1)));
const list = document.querySelector(".contents > div");
const mark = () => {
  let here = 0;
  places.forEach((place, number) => {
    if (place.checkVisibility() && place.getBoundingClientRect().top < innerHeight / 3) here = number;
  });
  if (links[here].hasAttribute("aria-current")) return;
  for (const link of links) {
    link.removeAttribute("aria-current");
    link.closest(".contents div > ol > li").classList.remove("here");
  }
  links[here].setAttribute("aria-current", "location");
  links[here].closest(".contents div > ol > li").classList.add("here");
  list.scrollTop = links[here].offsetTop - list.clientHeight / 2;
};
document.addEventListener("scroll", mark, { passive: true });
document.addEventListener("toggle", mark, true);
mark();

// Formulas are drawn, each slide's text made as large as it fits, and then reveal.js begins.

const LARGEST = 34, SMALLEST = 18; // pixels, on a stage of 1280 x 720
// Labels are 9 points or more at 200 dots an inch: by this part of its size they are 14 pixels.
const LEGIBLE = 14 / 25;

// Whether all of a slide lies on it. Pictures take what the text leaves, and have a least height.
/** @type {(slide: Element) => boolean} */
function fits(slide) {
  const stage = slide.getBoundingClientRect(), { paddingBottom, paddingRight } = getComputedStyle(slide);
  const bottom = stage.bottom - parseFloat(paddingBottom), right = stage.right - parseFloat(paddingRight);
  const parts = [...slide.children, ...slide.querySelectorAll("pre, table, mjx-container > svg, code")];
  return parts
    .filter((e) => !e.closest(".notes"))
    .map((e) => e.getBoundingClientRect())
    .every((box) => box.bottom <= bottom + 1 && box.right <= right + 1);
}

// A formula, a table or lines of code that are too wide are made smaller, and the text is not; words
// in a table or in code never get smaller than the smallest text.
/** @type {(wide: Element) => void} */
function narrow(wide) {
  wide.style.fontSize = "";
  const inner = wide.querySelector("table, svg") ?? wide, box = inner.getBoundingClientRect();
  const room = wide.closest("section > *").getBoundingClientRect().width;
  const least = wide.matches("mjx-container") ? 0 : SMALLEST;
  if (box.width > room) wide.style.fontSize = `max(${least}px, ${(100 * room) / box.width}%)`;
}

// How large the smallest of some pictures is drawn, as a part of its own size.
/** @type {(images: HTMLImageElement[]) => number} */
function partOf(images) {
  /** @type {(image: HTMLImageElement) => number} */
  const part = (image) => Math.min(image.clientWidth / image.naturalWidth, image.clientHeight / image.naturalHeight);
  return Math.min(1, ...images.map(part));
}

// The text is as large as it can be with the picture's labels legible, above the picture or beside
// it. Where they can't be, the picture has the slide for itself, on a key.
/** @type {(slide: Element) => void} */
function fit(slide) {
  const images = [...slide.querySelectorAll("img")].filter((image) => !image.closest(".whole"));
  const text = slide.querySelector(":scope > :is(p, ul, ol, .table, pre)");
  let best = { isBeside: false, size: SMALLEST, rank: -1 };
  /** @type {(isBeside: boolean) => void} */
  const lay = (isBeside) => {
    slide.classList.toggle("beside", isBeside);
    slide.style.fontSize = `${LARGEST}px`;
    slide.querySelectorAll("pre, .table, mjx-container[display]").forEach(narrow);
  };
  for (const isBeside of images.length && text ? [false, true] : [false]) {
    lay(isBeside);
    for (let size = LARGEST; size >= SMALLEST; size--) {
      slide.style.fontSize = `${size}px`;
      if (!fits(slide)) continue;
      const isLegible = partOf(images) >= LEGIBLE;
      if (isLegible && size > best.rank) best = { isBeside, size, rank: size };
      if (isLegible) break;
    }
  }
  lay(best.isBeside);
  slide.style.fontSize = `${best.size}px`;
  if (best.rank > 0 || !images.length) return;
  if (!text) return alone(slide, images);
  for (const image of images) {
    const part = image.closest("section > *");
    part.classList.add("fragment", "whole");
    slide.append(part); // it is shown last
    alone(slide, [image], part);
  }
  fit(slide);
}

// With a picture that is alone and still too small, its caption is left to the speaker; of one that
// is too high even so, a key shows the lower part.
/** @type {(slide: Element, images: HTMLImageElement[], part?: Element) => void} */
function alone(slide, images, part = slide) {
  part.classList.add("visible", "alone");
  if (partOf(images) < LEGIBLE)
    for (const caption of part.querySelectorAll(".caption")) slide.querySelector(".notes").prepend(caption);
  if (partOf(images) < LEGIBLE) {
    for (const image of images) {
      image.classList.add("high");
      image.style.width = `${LEGIBLE * image.naturalWidth}px`;
    }
    slide.append(Object.assign(document.createElement("span"), { className: "fragment lower" }));
  }
  part.classList.remove("visible");
}

// In an instrument its own keys hold, until Escape leaves it.
const isPlayed = () => document.activeElement.closest(".reader, .follow, .training");
addEventListener("keydown", (event) => event.key === "Escape" && isPlayed() && document.activeElement.blur());

async function begin() {
  await MathJax.startup.promise;
  await MathJax.typesetPromise();
  // what is read aloud of a formula would stand beside it in the speaker's window
  for (const extra of document.querySelectorAll(".notes mjx-assistive-mml")) extra.remove();
  await Promise.all([...document.images].map((image) => image.decode()));
  document.body.classList.add("measured");
  document.querySelectorAll(".slides > section > section").forEach(fit);
  document.body.classList.remove("measured");
  await Reveal.initialize({
    width: 1280, height: 720, margin: 0, center: false, display: "flex", controls: false,
    hash: true, slideNumber: "c/t", transition: "none",
    keyboardCondition: () => !isPlayed(),
    plugins: [RevealNotes],
  });
}
begin();

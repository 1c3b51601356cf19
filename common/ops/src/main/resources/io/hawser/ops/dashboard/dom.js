// Makes elements. Text is only ever set as text, so a name cannot become markup.

/** An element with attributes (functions are listeners) and children (strings are text; null is left out). */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets the text of an element if it is another one: an unchanged text is not announced again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element, name, value) {
  const text = String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

export function show(element, visible) {
  if (element.hidden === visible) element.hidden = !visible;
}

/** Replaces the children of an element, unless they would be the same: `signature` says what they show. */
export function fill(element, signature, children) {
  if (element.dataset.signature === signature) return;
  element.dataset.signature = signature;
  element.replaceChildren(...children().flat().filter(Boolean));
}

/** A card with a heading. */
export function card(title, ...children) {
  return h('section', { class: 'card', 'aria-label': title }, h('h2', {}, title), ...children);
}

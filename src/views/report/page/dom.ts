type Child = Node | string | null;

/** An element with attributes and children. Strings become text nodes: data is never parsed as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Readonly<Record<string, string>> = {}, ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'style') made.style.cssText = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A table, or several, that may be wider than the page: a line above it says so when it is. */
export function scrolling(className: string, ...content: readonly Child[]): HTMLElement {
  const hint = element('p', { class: 'hint' }, 'The table goes on to the right: scroll it.');
  const box = element('div', { class: className, tabindex: '0' }, ...content);
  new ResizeObserver(() => { hint.hidden = box.scrollWidth <= box.clientWidth + 1; }).observe(box);
  return element('div', {}, hint, box);
}

/** Text from outside, isolated so that its writing direction does not affect the page. */
export function outside(text: string): HTMLElement {
  return element('bdi', {}, text);
}

type Child = Node | string | null;

/** An element with attributes and children. Strings become text nodes: data is never parsed as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Readonly<Record<string, string>> = {}, ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'style') node.style.cssText = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** A table with a line of headings. Contents of its cells; a cell with a look of its own is an element. */
export function table(
  className: string, titles: readonly string[], rows: readonly (readonly Child[])[],
): HTMLTableElement {
  const cells = (row: readonly Child[]): Child[] =>
    row.map((content) => (content instanceof HTMLTableCellElement ? content : element('td', {}, content)));
  return element('table', { class: className },
    element('thead', {}, element('tr', {}, ...titles.map((title) => element('th', {}, title)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells(row)))));
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

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

/** Text from outside, isolated so that its writing direction does not affect the page. */
export function outside(text: string): HTMLElement {
  return element('bdi', {}, text);
}

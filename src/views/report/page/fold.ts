import { element } from './dom.ts';

/** What a reader may ask for further: one line until it is opened, by its line, by a link into it or for print. */
export function folded(title: string, ...content: readonly (HTMLElement | null)[]): HTMLElement {
  return element('details', { class: 'fold' }, element('summary', {}, title), ...content);
}

/** Opens what a link of the page leads into, and everything before it is printed. */
export function openOnDemand(): void {
  const reveal = (): void => {
    const target = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
    for (let at = target?.closest('details') ?? null; at !== null; at = at.parentElement?.closest('details') ?? null)
      at.open = true;
    target?.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  reveal();
}

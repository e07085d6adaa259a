/** Bars of a measurement: shares of a whole, one per line, which need no axis. */
import type { Bars } from '../../shown.ts';
import { element, outside } from '../dom.ts';
import { number } from '../format.ts';

export function barsElement({ title, values }: Bars): HTMLElement {
  const max = Math.max(...values.map(({ value }) => value), Number.MIN_VALUE);
  return element('div', { class: 'bars' },
    element('p', { class: 'caption' }, outside(title)),
    ...values.map(({ name, value, remark }) => element('div', { class: 'bar' },
      element('span', {}, outside(name)),
      // A bar for a value above 0 is visible, however small.
      element('i', { style: `width: ${(100 * value) / max}%; min-width: ${value > 0 ? 2 : 0}px` }),
      element('span', { class: 'value' }, number(value), ...(remark === undefined ? [] : [' · ', outside(remark)])))));
}

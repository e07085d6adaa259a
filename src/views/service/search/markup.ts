/** HTML that is safe to send: made by `html`, which escapes every text put into it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Value = string | number | Markup | undefined | readonly Value[];

/**
 * HTML from a template. Texts put into it become text, or values of quoted attributes, whatever characters they have;
 * `undefined` becomes nothing, and a list its members end to end.
 */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(template.reduce((text, piece, i) => text + markupOf(values[i - 1]) + piece));
}

function markupOf(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  return typeof value === 'object' ? value.map(markupOf).join('') : escaped(String(value));
}

const references: Readonly<Record<string, string>> =
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Without control characters, which XML forbids and HTML replaces. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => references[character])
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, '\ufffd');
}

/** The URL if a browser may be sent there from a page of results: http and https alone. */
export function safeHref(url: string): string | undefined {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

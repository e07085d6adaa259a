/** How fields of a line are separated; `' '`: by blanks and tabs, as many as there are. */
export type Separator = '\t' | ',' | ';' | ' ';

/** Separators in the order in which they are tried: URLs may contain a comma or a semicolon, but no tab. */
export const separators: readonly Separator[] = ['\t', ',', ';', ' '];

interface Forms {
  /** A field with the separator after it, or at the end. Its groups: quoted content, plain content, separator. */
  readonly field: RegExp;
  /** A quoted content that ends, whatever follows it. */
  readonly closed: RegExp;
}

const formsOf = new Map(separators.map((separator): [Separator, Forms] => {
  const blank = separator === '\t' ? ' ' : '[ \\t]';
  const between = separator === ' ' ? '[ \\t]+' : separator;
  const other = separator === ' ' ? '[^ \\t]' : `[^${separator}]`;
  // Nothing matches in two ways: otherwise a megabyte of quotation marks would take hours.
  const closed = `${blank}*"([^"]*(?:""[^"]*)*)"(?!")`;
  const field = `(?:${closed}${separator === ' ' ? '' : `${blank}*`}|(?!${blank}*")(${other}*))(${between}|$)`;
  return [separator, { field: new RegExp(field, 'y'), closed: new RegExp(closed, 'y') }];
}));

/**
 * The fields of a record as RFC 4180 defines them, with any separator: a field in quotation marks may contain it, line
 * breaks, and doubled quotation marks. Blanks around fields are dropped, and a mark inside a field stands for itself.
 * @returns undefined if a quoted field does not end, so that the record may go on in the next line; a text for a fault.
 */
export function fieldsOf(text: string, separator: Separator): string[] | string | undefined {
  const record = separator === ' ' ? text.trim() : text;
  if (!text.includes('"')) {
    return separator === ' ' ? record.split(/[ \t]+/) : record.split(separator).map((field) => field.trim());
  }
  const { field, closed } = formsOf.get(separator) as Forms;
  const fields: string[] = [];
  field.lastIndex = 0;
  for (;;) {
    const start = field.lastIndex;
    const match = field.exec(record) as (string | undefined)[] | null;
    if (match === null) {
      closed.lastIndex = start;
      return closed.test(record) ? 'has text after a closing quotation mark' : undefined;
    }
    fields.push(match[1]?.replaceAll('""', '"') ?? (match[2] ?? '').trim());
    if (match[3] === '') return fields;
  }
}

import { quoted } from '../../../base/index.ts';
import { isNumber } from '../edge-list/number-columns.ts';
import type { FileStart } from '../file-start.ts';
import { linkColumns, noColumn } from './column-names.ts';
import { fieldsOf, separators, type Separator } from './csv-fields.ts';

/** The places of the links in a table. */
export interface TableLayout {
  readonly separator: Separator;
  /** Columns of sources and targets, from 0. */
  readonly source: number;
  readonly target: number;
  /** The column that says of each record whether it is directed, as Gephi's Type does; -1 without such a column. */
  readonly type: number;
  /** Fields of each record. */
  readonly fields: number;
  /** Names of the columns, if the first record has them. */
  readonly header: readonly string[] | undefined;
}

/** What the user says of the columns of sources and targets: names, or numbers from 1. */
type LinkColumns = readonly [source: string, target: string];

type Kind = 'id' | 'URL' | 'name';

function kindOf(field: string | undefined): Kind {
  if (field !== undefined && /^[0-9]+$/.test(field)) return 'id';
  return field !== undefined && /^[a-z][a-z0-9+.-]*:\/\/[^\s]+$/i.test(field) ? 'URL' : 'name';
}

/** The first and second record by each separator that gives the first two or more fields. */
function* splits(
  first: string, second: string | undefined,
): Generator<{ separator: Separator; fields: readonly string[]; next: readonly string[] }> {
  for (const separator of separators) {
    const fields = fieldsOf(first, separator);
    const next = second === undefined ? [] : fieldsOf(second, separator);
    if (Array.isArray(fields) && fields.length > 1) yield { separator, fields, next: Array.isArray(next) ? next : [] };
  }
}

/** The columns of links by their names in the first record; -1 where a column is missing, or the record has links. */
function knownColumns(fields: readonly string[], next: readonly string[]): [source: number, target: number] {
  const columns = linkColumns(fields, true);
  return columns.includes(-1) || isHeader(fields, next, columns) ? columns : linkColumns(fields, false);
}

const isKnown = (fields: readonly string[], next: readonly string[]): boolean =>
  !knownColumns(fields, next).includes(-1);

/** Whether all fields of the first record are names, and the links of the second are not. */
function isHeader(fields: readonly string[], next: readonly string[], [source, target] = [0, 1]): boolean {
  const kind = kindOf(next[source]);
  return kind !== 'name' && kind === kindOf(next[target]) && fields.every((field) => kindOf(field) === 'name');
}

/**
 * Whether a text begins as a table of links and as nothing else: with names of columns; with two URLs and another
 * separator than a tab, or more columns; with ids that a semicolon separates or texts follow.
 */
export function beginsTable({ lines, firstLine, isPlainText, isMarkup }: FileStart): boolean {
  if (firstLine === undefined || !isPlainText || isMarkup) return false;
  const second = lines.slice(lines.indexOf(firstLine) + 1, -1).find((line) => !/^[ \t]*(#|$)/.test(line));
  for (const { separator, fields, next } of splits(firstLine, second)) {
    const isEven = next.length === 0 || next.length === fields.length;
    if (isEven && (isKnown(fields, next) || isHeader(fields, next))) return true;
    const kind = kindOf(fields[0]);
    if (separator === ' ' || kind === 'name' || kindOf(fields[1]) !== kind) continue;
    if (kind === 'URL' && (separator !== '\t' || fields.length > 2)) return true;
    const hasTexts = fields.slice(2).some((field) => field !== '' && !isNumber(field));
    if (kind === 'id' && (separator === ';' || hasTexts)) return true;
  }
  return false;
}

/** Whether a text of unknown kind may be a table, so that a message about its columns helps. */
export function mayBeTable({ firstLine = '', isPlainText }: FileStart): boolean {
  return isPlainText && /^[^,;{}<>]+[,;][^{}<>]+$/.test(firstLine) && kindOf(firstLine.split(/[,;]/)[0]) === 'name';
}

/**
 * The layout of a table by its first two records; the second may be missing. Columns that the user names are looked up
 * in the first record. With numbers, and without, the first record is a header if it names columns, or if its fields
 * are names and the second record has ids or URLs.
 * @returns a text for a fault.
 */
export function layoutOf(first: string, second: string | undefined, columns?: LinkColumns): TableLayout | string {
  const all = [...splits(first, second)];
  if (all.length === 0) return `has one column; expected two or more: ${quoted(first)}`;
  if (columns !== undefined) return chosenLayout(all, columns);
  const match = all.find(({ fields, next }) => isKnown(fields, next));
  if (match !== undefined) {
    const [source, target] = knownColumns(match.fields, match.next);
    return withHeader(match, source, target);
  }
  const plain = all.find(({ fields }) => kindOf(fields[0]) !== 'name' && kindOf(fields[0]) === kindOf(fields[1]));
  if (plain !== undefined) {
    return withoutHeader(plain, 0, 1);
  }
  const [{ fields }] = all;
  const [source, target] = linkColumns(fields, false);
  const lacking = source < 0 ? 'source' : 'target';
  return `${noColumn(lacking, fields, fields[Math.max(source, target)])}; orbweaver import --columns FROM,TO names two of them, or numbers them from 1`;
}

type Split = Pick<TableLayout, 'separator'> & { readonly fields: readonly string[] };

function withHeader({ separator, fields }: Split, source: number, target: number): TableLayout {
  const type = fields.findIndex((field, i) => field.toLowerCase() === 'type' && i !== source && i !== target);
  return { separator, source, target, type, fields: fields.length, header: fields };
}

function withoutHeader({ separator, fields }: Split, source: number, target: number): TableLayout {
  return { separator, source, target, type: -1, fields: fields.length, header: undefined };
}

function chosenLayout(
  all: readonly { separator: Separator; fields: readonly string[]; next: readonly string[] }[], columns: LinkColumns,
): TableLayout | string {
  const areNumbers = columns.every((column) => /^[1-9][0-9]{0,4}$/.test(column));
  for (const { separator, fields, next } of all) {
    const [source, target] = columns.map((column) => (areNumbers ? Number(column) - 1 : placeOf(fields, column)));
    if (source < 0 || target < 0 || Math.max(source, target) >= fields.length) continue;
    const hasHeader = !areNumbers || isKnown(fields, next) || isHeader(fields, next, [source, target]);
    return (hasHeader ? withHeader : withoutHeader)({ separator, fields }, source, target);
  }
  const fields = all.reduce((most, split) => (split.fields.length > most.fields.length ? split : most)).fields;
  const missing = columns.find((column) => areNumbers ? Number(column) > fields.length : placeOf(fields, column) < 0);
  return `has no column ${areNumbers ? missing : quoted(missing ?? '', 30)}; its columns are ` +
    fields.slice(0, 20).map((name) => quoted(name, 30)).join(', ');
}

/** The place of a column by its name, first exactly, then in any case; -1 if there is none. */
function placeOf(fields: readonly string[], name: string): number {
  const exact = fields.indexOf(name);
  return exact >= 0 ? exact : fields.findIndex((field) => field.toLowerCase() === name.toLowerCase());
}

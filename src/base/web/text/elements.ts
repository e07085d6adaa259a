import { unitsOf } from './collapsed-text.ts';

/** What an element means for text: a part of a line, unless it is one of the following. */
export const IN_LINE = 0;
export const BLOCK = 1;
/** Stands in a line, and separates the words before and after it. */
export const SEPARATOR = 2;
/** What browsers do not show as text. */
export const SKIPPED = 3;
export const TITLE = 4;
export const ANCHOR = 5;
/** HEADING + n for `h1` to `h6`. */
export const HEADING = 10;

/** An element as the text has it. */
export interface Element {
  /** The name in lower case; '' if it means nothing. */
  readonly name: string;
  readonly meaning: number;
  /** Whether its attributes are read, for its links or its text. */
  readonly hasAttributes: boolean;
}

/** Any element that is not in the list. */
export const otherElement: Element = { name: '', meaning: IN_LINE, hasAttributes: false };

const meanings = new Map<string, number>([
  ...words(BLOCK, `address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt
    fieldset figcaption figure footer form frameset head header hgroup hr html legend li main menu nav ol optgroup
    option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp`),
  ...words(SEPARATOR, 'audio br button canvas datalist embed img input meter object progress select video'),
  ...words(SKIPPED, 'iframe noembed noframes noscript script style svg template textarea'),
  ...words(IN_LINE, 'area base frame link meta'),
  ['title', TITLE], ['a', ANCHOR],
  ...[1, 2, 3, 4, 5, 6].map((level): [string, number] => [`h${level}`, HEADING + level]),
]);
const withAttributes = new Set('a area base frame html iframe img link meta'.split(' '));

function words(meaning: number, names: string): [string, number][] {
  return names.split(/\s+/).map((name) => [name, meaning]);
}

const maxChars = Math.max(...[...meanings.keys()].map((name) => name.length));
/** Elements by hash: making a string of each name costs more than the rest of the look-up. */
const byHash = new Map([...meanings].map(([name, meaning]) => (
  [hashOf(unitsOf(name), 0, name.length), { name, meaning, hasAttributes: withAttributes.has(name) }]
)));
if (byHash.size < meanings.size) throw new Error('two elements have one hash');

/**
 * The element that is named at a place of a document. Letters of ASCII may be of either case.
 *
 * @param document - its units.
 */
export function elementAt(document: Uint16Array, start: number, end: number): Element {
  if (end - start > maxChars) return otherElement;
  const element = byHash.get(hashOf(document, start, end));
  return element !== undefined && isNamed(element.name, document, start, end) ? element : otherElement;
}

function hashOf(text: Uint16Array, start: number, end: number): number {
  let hash = end - start;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (text[i] | 0x20)) | 0;
  return hash;
}

function isNamed(name: string, document: Uint16Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) {
    const [unit, expected] = [document[start + i], name.charCodeAt(i)];
    if (unit !== expected && !(unit + 32 === expected && expected >= 97)) return false;
  }
  return true;
}

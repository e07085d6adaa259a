import { InputError, quoted } from '../../base/index.ts';

/** Real documents nest a dozen elements and give one some twenty attributes. */
const DEEPEST = 64;
const MOST_ATTRIBUTES = 256;

/** Perhaps with a prefix and one colon. */
const NAME = /[\p{L}_][\p{L}\p{N}_.-]*(:[\p{L}_][\p{L}\p{N}_.-]*)?/uy;
const ATTRIBUTE = new RegExp(`${NAME.source}[ \\t\\r\\n]*=[ \\t\\r\\n]*`, 'uy');

/** A document that a lenient parser may be given. */
export interface SoundXml {
  readonly root: string;
  /** The document without comments, processing instructions and what was not to be kept. */
  readonly text: string;
  /** How often each element stands in that. */
  readonly elements: ReadonlyMap<string, number>;
}

/**
 * Checks that a text is XML: well formed, without a document type (which can define entities that grow without bound,
 * or name files), nested at most 64 deep, with at most 256 attributes to an element. What parsers repair in silence, or
 * in more than linear time, is refused here, and what their readers have no use for goes no further.
 *
 * @param keeps whether an element, by its name, its parent's and its start tag, is kept with what stands in it.
 * Errors   InputError with file and line.
 * Cost     O(text), no tree.
 */
export function soundXml(
  text: string, file: string, keeps: (name: string, parent: string, tag: string) => boolean,
): SoundXml {
  const kept: string[] = [];
  /** Open elements around the one that is not kept; Infinity where all are. */
  let left = Infinity;
  const elements = new Map<string, number>();
  const open: string[] = [];
  let root = '';
  const fail = (at: number, what: string): never => {
    let line = 1;
    for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line++;
    throw new InputError(`${file}: line ${line}: ${what}`);
  };
  const behind = (end: string, from: number, what: string): number => {
    const at = text.indexOf(end, from);
    return at < 0 ? fail(from, `${what} does not end. Is the file cut short?`) : at + end.length;
  };
  const control = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
  if (control >= 0) fail(control, `has the character ${quoted(text[control])}, which XML has not`);
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '<') {
      const end = text.indexOf('<', at);
      const content = text.slice(at, end < 0 ? text.length : end);
      checkReferences(content, (what) => fail(at, what));
      if (open.length === 0 && content.replace('\ufeff', '').trim() !== '') {
        fail(at, `has ${quoted(content.trim())} outside of its root element`);
      }
      if (open.length <= left) kept.push(content);
      at += content.length;
    } else if (text.startsWith('<!--', at)) at = behind('-->', at + 4, 'a comment');
    else if (text.startsWith('<![CDATA[', at) && open.length > 0) {
      const end = behind(']]>', at, 'a CDATA section');
      if (open.length <= left) kept.push(text.slice(at, end));
      at = end;
    } else if (text.startsWith('<?', at)) at = behind('?>', at, 'a processing instruction');
    else if (text.startsWith('<!', at)) fail(at, 'has a document type or entities, which this program does not read');
    else if (text[at + 1] === '/') {
      const end = behind('>', at, 'an end tag');
      const name = text.slice(at + 2, end - 1).trimEnd();
      const expected = open.pop();
      if (name !== expected) {
        fail(
          at,
          `has the end tag ${quoted(name)} where ${expected === undefined ? 'none' : quoted(expected)} is expected`,
        );
      }
      if (open.length < left) kept.push(text.slice(at, end));
      if (open.length === left) left = Infinity;
      at = end;
    } else {
      const { name, end, closes } = startTag(text, at, fail);
      if (open.length === 0 && root !== '') fail(at, `has a second root element, ${quoted(name)}`);
      root ||= name;
      const tag = text.slice(at, end);
      const isKept = open.length < left && (open.length === 0 || keeps(name, open[open.length - 1], tag));
      if (isKept) {
        elements.set(name, (elements.get(name) ?? 0) + 1);
        kept.push(tag);
      } else if (!closes) left = Math.min(left, open.length);
      if (!closes) open.push(name);
      if (open.length > DEEPEST) fail(at, `nests elements more than ${DEEPEST} deep`);
      at = end;
    }
  }
  if (open.length > 0)
    fail(text.length, `ends within the element ${quoted(open[open.length - 1])}. Is the file cut short?`);
  if (root === '') fail(0, 'has no element');
  return { root, elements, text: kept.join('') };
}

function startTag(
  text: string, at: number, fail: (at: number, what: string) => never,
): { name: string; end: number; closes: boolean } {
  const name =
    match(NAME, text, at + 1) ?? fail(at, `has ${quoted(text.slice(at, at + 20))} where an element is expected`);
  let i = at + 1 + name.length;
  for (let attributes = 0; ; attributes++) {
    const space = match(/[ \t\r\n]+/y, text, i) ?? '';
    i += space.length;
    if (text[i] === '>') return { name, end: i + 1, closes: false };
    if (text.startsWith('/>', i)) return { name, end: i + 2, closes: true };
    const attribute = match(ATTRIBUTE, text, i);
    const quote = attribute === undefined ? undefined : text[i + attribute.length];
    if (attribute === undefined || space === '' || (quote !== '"' && quote !== "'")) {
      return fail(at, `the element ${quoted(name)} is not well formed`);
    }
    if (attributes === MOST_ATTRIBUTES)
      fail(at, `the element ${quoted(name)} has more than ${MOST_ATTRIBUTES} attributes`);
    const from = i + attribute.length + 1;
    const end = text.indexOf(quote, from);
    if (end < 0) fail(at, `an attribute of the element ${quoted(name)} does not end`);
    const value = text.slice(from, end);
    if (value.includes('<')) fail(at, `an attribute of the element ${quoted(name)} holds a "<"`);
    checkReferences(value, (what) => fail(at, what));
    i = end + 1;
  }
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function checkReferences(text: string, fail: (what: string) => never): void {
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    const reference = /^&(amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});/.exec(text.slice(at, at + 12));
    if (reference === null) fail(`has ${quoted(text.slice(at, at + 12))}, an entity that XML does not define`);
  }
}

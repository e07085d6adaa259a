import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { InputError, quoted } from '../../../base/index.ts';
import { bytesOf, type BytesOptions } from '../../../base/files/index.ts';
import { startOf } from '../file-start.ts';

/** Real documents nest a dozen elements and have some twenty attributes per element. */
const DEEPEST = 64;
const MAX_ATTRIBUTES = 256;
/** An endless tag, comment or text must not fill the memory; drawing programs embed pictures as text. */
const LONGEST_PIECE = 1 << 24;

export type XmlAttributes = Readonly<Record<string, string | undefined>>;

/** Receives a document, element by element. */
export interface XmlReader {
  /** Whether the texts of the innermost element are wanted; by default not. */
  readonly wantsText?: boolean;
  open: (name: string, attributes: XmlAttributes) => void;
  text?: (text: string) => void;
  close: (name: string) => void;
}

/** The position of a reader, and how it refuses what it reads there. */
export interface XmlPlace {
  readonly line: number;
  /** Throws an InputError with file and line. */
  fail: (what: string) => never;
}

/**
 * Reads XML, plain or gzipped, as a stream. It must be well formed, without a document type (which can define entities
 * that grow without bound, or name files), nested at most 64 deep, with at most 256 attributes per element.
 *
 * Errors   InputError with file and line.
 * Cost     O(bytes); memory: a few chunks, whatever the size of the document.
 */
export async function readXml(
  path: string, options: BytesOptions, makeReader: (place: XmlPlace) => XmlReader,
): Promise<void> {
  const parser = new SaxesParser();
  const fail = (what: string): never => {
    throw new InputError(`${path}: line ${parser.line}: ${what}`);
  };
  let isAtEnd = false;
  const whatIsAllowed = (what: string): string => {
    if (what === 'undefined entity') return '; expected one of amp, lt, gt, quot and apos';
    // The innermost element is reported to the reader before the fault.
    return what === 'unexpected close tag' ? `; expected the close tag of ${quoted(closed)}` : '';
  };
  parser.on('error', ({ message }) => {
    // It may contain names from the document.
    const what = quoted(message.replace(/^[0-9]+:[0-9]+: /, '').replace(/\.$/, ''), 100).slice(1, -1);
    fail(`is not well-formed XML: ${what}${whatIsAllowed(what)}${isAtEnd ? '. Is the file truncated?' : ''}`);
  });
  let pieceFrom = 0;
  let closed = '';
  const passed = (name = ''): void => {
    pieceFrom = parser.position;
    closed = name;
  };
  parser.on('doctype', () => fail('has a document type or entities, which are not supported'));
  takeElements(parser, makeReader({ get line() { return parser.line; }, fail }), fail, passed);
  for (const event of ['comment', 'processinginstruction'] as const) parser.on(event, () => passed());
  for await (const text of textOf(path, options)) {
    parser.write(text);
    if (parser.position - pieceFrom > LONGEST_PIECE)
      fail(`has a text, tag or comment of more than ${LONGEST_PIECE} characters`);
  }
  isAtEnd = true;
  parser.close();
}

function takeElements(
  parser: SaxesParser, reader: XmlReader, fail: (what: string) => never, passed: (closed?: string) => void,
): void {
  let depth = 0;
  let attributes = 0;
  parser.on('opentagstart', ({ name }) => {
    attributes = 0;
    if (++depth > DEEPEST) fail(`nests elements more than ${DEEPEST} deep, the last being ${quoted(name)}`);
  });
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) fail(`has an element with more than ${MAX_ATTRIBUTES} attributes`);
  });
  const takeText = (text: string): void => {
    passed();
    if (reader.wantsText === true) reader.text?.(text);
  };
  parser.on('text', takeText);
  parser.on('cdata', takeText);
  parser.on('opentag', (tag) => {
    passed();
    reader.open(tag.name, tag.attributes);
  });
  parser.on('closetag', ({ name }) => {
    passed(name);
    depth--;
    reader.close(name);
  });
}

/** The characters of a document, in the encoding of its byte order mark or its XML declaration, otherwise in UTF-8. */
async function* textOf(path: string, options: BytesOptions): AsyncGenerator<string, void, void> {
  const start = (await startOf(path)).bytes;
  const isWide = start[0] === 0xfe || start[0] === 0xff || start[1] === 0;
  const declaration = Buffer.from(start).toString('latin1', 0, 200);
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)/.exec(declaration)?.[1] ?? 'utf-8';
  const label = !isWide ? declared : start[0] === 0xfe ? 'utf-16be' : 'utf-16le';
  const decoded = (decode: () => string): string => {
    try {
      return decode();
    } catch {
      throw new InputError(`${path}: is not in ${quoted(label)}, the encoding that it declares or should have`);
    }
  };
  let decoder: TextDecoder | undefined;
  for await (const chunk of bytesOf(path, options)) {
    yield decoded(() => (decoder ??= new TextDecoder(label, { fatal: true })).decode(chunk, { stream: true }));
  }
  yield decoded(() => decoder?.decode() ?? '');
}

import { InputError } from '../../base/index.ts';
import type { FileStart } from './file-start.ts';
import type { FileKind } from './format.ts';

/** Binary formats that are known and not supported: name, title, beginning, and what can be done instead. */
const unreadFormats: readonly (readonly [name: string, title: string, begins: RegExp, instead: string])[] = [
  ['arc', 'an ARC file, the format before WARC', /^filedesc:\/\//, 'convert it to WARC first (warcio recompress)'],
  ['lz4', 'compressed by LZ4', /^(\x04"M|\x02!L)\x18/, 'unpack it first (lz4 -d)'],
  ['zstd', 'compressed by Zstandard', /^(\(\xb5\/\xfd|[P-_]\*M\x18)/, 'unpack it first (zstd -d)'],
  ['bzip2', 'compressed by bzip2', /^BZh[1-9]1AY&SY/, 'unpack it first (bunzip2)'],
  ['xz', 'compressed by xz', /^\xfd7zXZ\0/, 'unpack it first (unxz)'],
  ['zip', 'a ZIP archive', /^PK\x03\x04/, 'unpack it first (unzip)'],
];

export const unreadKinds: readonly FileKind[] = unreadFormats.map(([name, title, begins, instead]) => ({
  name,
  begins: ({ text }) => begins.test(text),
  refusal: `is ${title}, which is not supported; ${instead}`,
}));

/**
 * Refuses a file whose first bytes show a format that is known and not supported.
 * Errors   InputError naming the format, and what can be done instead.
 */
export function refuseUnread(head: Uint8Array, path: string): void {
  const text = Buffer.from(head.subarray(0, 64)).toString('latin1');
  const format = unreadFormats.find(([, , begins]) => begins.test(text));
  if (format === undefined) return;
  throw new InputError(`${path}: is ${format[1]}, which is not supported; ${format[3]}`);
}

/** A text that is known and not read: name, title, how it begins, and what can be done instead. */
type UnreadText = readonly [name: string, title: string, begins: (start: FileStart) => boolean, instead: string];

const unsupported = ', which is not supported';
const withoutLinks = ', which has no links';
const asTable = 'write its links as a table first, with the columns source and target';

/** The first line that is not blank; `#` may begin it. */
const topLine = ({ lines }: FileStart): string => lines.find((line) => line.trim() !== '') ?? '';

/** Whole lines that are neither blank nor comments. */
const dataLines = ({ wholeLines }: FileStart): string[] => wholeLines.filter((line) => !/^[ \t]*(#|$)/.test(line));

/** Whether it has the byte order mark of UTF-16, or twelve bytes as ASCII has them there; but XML is read. */
function isUtf16({ text }: FileStart): boolean {
  if (/^(\xff\xfe|\xfe\xff)?\s*</.test(text.replaceAll('\0', ''))) return false;
  return /^(\xff\xfe|\xfe\xff|(\0[\t\n\r -~]){6}|([\t\n\r -~]\0){6})/.test(text);
}

/** Whether it has the header of CDX, or begins with a key, a time, a URL and five fields or more. */
function isCdx(start: FileStart): boolean {
  return /^ ?CDX( [A-Za-z])+ *$/.test(start.lines[0]) ||
    /^[^\s{]+ [0-9]{4,14} (\S+:\S+|-) \S+ \S+ \S+ \S+ \S+/.test(topLine(start));
}

/** Lines that begin with `!` are its metadata. */
function isCdxj(start: FileStart): boolean {
  const [line = ''] = dataLines(start).filter((data) => !data.startsWith('!'));
  return /^[^\s{]+ [0-9]{4,14} \{/.test(line);
}

function isZipNum(start: FileStart): boolean {
  return /^\S+ [0-9]{4,14}\t\S+\t[0-9]+\t[0-9]+(\t[0-9]+)?$/.test(topLine(start));
}

function isJson(start: FileStart): boolean {
  return /^\s*(\{\s*["}]|\[\s*[[{"])/.test(start.text);
}

/** Whether each line is a value by itself. */
function isNdjson(start: FileStart): boolean {
  const lines = dataLines(start);
  return isJson(start) && lines.length > 1 && lines.every((line) => /^\s*(\{.*\}|\[.*\])\s*$/.test(line));
}

function isDot({ text }: FileStart): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^[ \t]*(\/\/|#).*$/gm, '');
  return /^\s*(strict\s+)?(di)?graph\b\s*("[^"]*"|[\w.-]+)?\s*\{/i.test(code);
}

function isDl({ text }: FileStart): boolean {
  return /^\s*dl[\s,]+([a-z]+\s*=|n\s+[0-9])/i.test(text);
}

function isSitemap({ isMarkup, text }: FileStart): boolean {
  return isMarkup && /<([\w-]+:)?(urlset|sitemapindex)[\s>]/.test(text.replaceAll('\0', ''));
}

function isRdf({ text }: FileStart): boolean {
  return /^\s*<[a-z][^<>\s]*:[^<>\s]*>\s+<[^<>\s]+>\s/i.test(text);
}

function isSql({ text }: FileStart): boolean {
  return /^\s*(-- |create |insert into |drop )/i.test(text) && /\b(dump|table|insert into)\b/i.test(text);
}

/**
 * Whether `# node` lines are followed by neighbours, with weights or without. Otherwise they are comments: a neighbour
 * must also be a node, and a node follow neighbours.
 */
function isLgl(start: FileStart): boolean {
  const nodes = start.lines.filter((line) => line.startsWith('#'));
  const neighbours = dataLines(start);
  if (!topLine(start).startsWith('#') || !nodes.every((line) => /^#[ \t]+\S+[ \t]*$/.test(line))) return false;
  if (!neighbours.every((line) => /^\S+([ \t]+[0-9.e+-]+)?[ \t]*$/i.test(line))) return false;
  const keys = new Set(nodes.map((line) => line.slice(1).trim()));
  return /\.lgl(\.gz)?$/i.test(start.path) ||
    (/\n[^#\s][^\n]*\n#/.test(start.text) && neighbours.some((line) => keys.has(line.split(/[ \t]/)[0])));
}

/** Whether nodes with their labels, each named once, are followed by a line with nothing but `#`, and by edges. */
function isTgf({ wholeLines: lines }: FileStart): boolean {
  const end = lines.findIndex((line) => line.startsWith('#'));
  if (end < 1 || lines[end].trim() !== '#' || lines.slice(end + 1).some((line) => line.startsWith('#'))) return false;
  const nodes = lines.slice(0, end).map((line) => line.split(' ', 1)[0]);
  const ends = lines.slice(end + 1).filter((line) => line !== '').flatMap((line) => line.split(' ').slice(0, 2));
  return nodes.every((node) => node !== '') && new Set(nodes).size === nodes.length &&
    ends.length > 0 && ends.every((node) => nodes.includes(node));
}

/** Whether `node degree` is followed by as many lines `neighbour {...}`, as far as the text begins. */
function isMultiLineList(start: FileStart): boolean {
  const lines = dataLines(start);
  let hasNeighbours = false;
  for (let i = 0; i < lines.length; ) {
    const match = /^\S+[ \t]+([0-9]{1,9})[ \t]*$/.exec(lines[i]);
    if (match === null) return false;
    const neighbours = lines.slice(i + 1, i + 1 + Number(match[1]));
    if (!neighbours.every((line) => /^\S+[ \t]+\{.*\}[ \t]*$/.test(line))) return false;
    hasNeighbours ||= neighbours.length > 0;
    i += 1 + neighbours.length;
  }
  return hasNeighbours;
}

const unreadTexts: readonly UnreadText[] = [
  ['utf-16', `a text in UTF-16${unsupported}`, isUtf16, 'convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)'],
  ['cdx', `a CDX index${withoutLinks}`, isCdx, 'import the archives that it lists'],
  ['cdxj', `a CDXJ index${withoutLinks}`, isCdxj, 'import the archives that it lists'],
  ['zipnum', `a ZipNum index${withoutLinks}`, isZipNum, 'import the archives that it lists'],
  ['ndjson', `NDJSON, a JSON value per line${unsupported}`, isNdjson, asTable],
  ['json', `JSON${unsupported}`, isJson, asTable],
  ['dot', `a graph in DOT${unsupported}`, isDot, 'convert it to GML first (gv2gml)'],
  ['gdf', `GDF${unsupported}`, ({ text }) => /^\s*nodedef\s*>/i.test(text), 'convert it to GEXF or GraphML first'],
  ['dl', `UCINET DL${unsupported}`, isDl, 'convert it to Pajek or GraphML first'],
  ['lgl', `LGL${unsupported}`, isLgl, 'write both pages of each edge on its line (NCOL)'],
  ['tgf', `TGF, which lists nodes before edges${unsupported}`, isTgf, 'delete all lines up to #'],
  ['sitemap', `a sitemap${withoutLinks}`, isSitemap, 'crawl its site, or import archives of it'],
  ['rdf', `RDF (N-Triples, N-Quads)${unsupported}`, isRdf, asTable],
  ['sql', `SQL${unsupported}`, isSql, asTable],
  [
    'multi-line-adjacency', `a multi-line adjacency list of networkx${unsupported}`, isMultiLineList,
    'write it with write_edgelist instead',
  ],
];

/** A text of settings, headers or rules: each line a key, a colon or an equals sign, and a value. */
export const keyValues: FileKind = {
  name: 'key-values',
  begins: (start) => dataLines(start).length > 0 && start.isPlainText &&
    dataLines(start).every((line) => /^[A-Za-z][\w.-]*[ \t]*(:(?=[ \t]|$)|=)/.test(line)),
  refusal: 'holds keys and values, as settings, headers and robots.txt do, and no links; ' +
    'links are two page ids, URLs or names per line',
};

/** The line by which Excel is told the separator. */
const excelLine: FileKind = {
  name: 'sep',
  begins: ({ lines }) => /^"?sep=.?"?[ \t]*$/i.test(lines[0]),
  refusal: 'line 1: begins with sep=, which only Excel reads; delete that line',
};

export const unreadTextKinds: readonly FileKind[] = [
  ...unreadTexts.map(([name, title, begins, instead]): FileKind => ({
    name,
    begins,
    refusal: `is ${title}; ${instead}`,
  })),
  excelLine,
];

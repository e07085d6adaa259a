import { beginsLikeProperties } from './bvgraph/bvgraph-properties.ts';
import { bytesOf } from '../base/files/index.ts';
import type { FormatName } from './format-names.ts';
import { beginsLikeOwg } from './owg/owg.ts';
import { refuseUnread } from './unread-formats.ts';
import { isWarc } from './warc/read-warc.ts';

/** Enough to see what a text is: its first lines, unless they are absurdly long. */
const HEAD_BYTES = 4096;

/** A format, or what belongs to one and is no graph alone. */
export type FileKind = FormatName | 'names' | 'url-block-links';

/** What else may stand among the files of a graph. */
export const partners: Readonly<Partial<Record<FormatName, FileKind>>> = {
  'host-graph': 'edges',
  'named-pairs': 'names',
  'url-blocks': 'url-block-links',
};

/**
 * What a file is, by its first bytes; undefined where nothing known is seen.
 * Errors   InputError for a format that is known and not read; as bytesOf.
 */
export async function fileKind(path: string): Promise<FileKind | undefined> {
  if (/\.owg$/i.test(path)) return 'owg';
  if (await isWarc(path)) return 'warc';
  const head = await headOf(path);
  if (beginsLikeOwg(head)) return 'owg';
  if (/\.properties$/.test(path) && beginsLikeProperties(head)) return 'bvgraph';
  if (startsWith(head, 'PAR1')) return 'parquet';
  refuseUnread(head, path);
  return textKind(head);
}

function startsWith(head: Uint8Array, letters: string): boolean {
  return head.length >= letters.length && Buffer.from(head.subarray(0, letters.length)).toString('latin1') === letters;
}

/** What the text that begins so is; undefined where nothing known is seen. */
export function textKind(head: Uint8Array): FileKind | undefined {
  const text = new TextDecoder('latin1').decode(head);
  if (/^\s*</.test(text) || head[0] === 0xff || head[0] === 0xfe) return xmlKind(head);
  const lines = text.split(/\r?\n/);
  if (/^[0-9]+\s*$/.test(lines[0]) && lines[1] === '' && /^[0-9]+ \([0-9]+\)/.test(lines[2] ?? '')) return 'url-blocks';
  if (/^\s*[0-9]+\s*$/.test(lines[0])) return 'adjacency';
  if (/^%%MatrixMarket/i.test(lines[0]) || beginsLikeSmat(lines)) return 'matrix';
  if (/^[0-9]+ [0-9]+ 1[ \t]*$/.test(lines[0]) && /^1[ \t]+\S*:\/\//.test(lines[1] ?? '')) return 'numbered-urls';
  const first = lines.find((line) => !/^[ \t]*([#%]|$)/.test(line));
  if (first !== undefined && /^n [0-9]+ \S/.test(first)) return 'tagged-urls';
  if (first !== undefined && /^[0-9]+:( [0-9]+)* -1[ \t]*$/.test(first)) return 'url-block-links';
  if (first !== undefined && /^[0-9]{4}\|[^|\t]+\|[^|\t]+\t[0-9]+$/.test(first)) return 'host-table';
  if (/^[0-9]+\t[^\t ]*[^\t 0-9][^\t ]*(\t[0-9]+)?$/.test(lines[0])) return 'host-graph';
  const fields = first?.split('\t') ?? [];
  if (fields.length <= 2 && isPlainText(head) && fields.length > 0 && fields.every((name) => /[^-0-9., ]/.test(name))) {
    return fields.length === 2 ? 'named-pairs' : 'names';
  }
  if (first === undefined || /^[ \t]*[0-9]+([ \t]+|[ \t]*,[ \t]*)[0-9]/.test(first)) return 'edges';
  return undefined;
}

/** Of XML, which may be in UTF-16. */
function xmlKind(head: Uint8Array): FileKind | undefined {
  const text = Buffer.from(head).toString('latin1').replaceAll('\0', '');
  return /<gexf[\s>]/.test(text) ? 'gexf' : /<(\w+:)?graphml[\s>]/.test(text) ? 'graphml' : undefined;
}

/**
 * Whether line 1 is `n n entries` and all ids of the whole lines behind it are below n. A list of weighted links would
 * have to begin with a link of its largest page to itself to look so.
 */
function beginsLikeSmat(lines: readonly string[]): boolean {
  const sizes = /^([0-9]+)[ \t]+([0-9]+)[ \t]+[0-9]+[ \t]*$/.exec(lines[0]);
  const entries = lines.slice(1, -1);
  if (sizes === null || sizes[1] !== sizes[2] || entries.length === 0) return false;
  return entries.every((line) => {
    const entry = /^([0-9]+)[ \t]+([0-9]+)[ \t]+[^ \t]+[ \t]*$/.exec(line);
    return entry !== null && Math.max(Number(entry[1]), Number(entry[2])) < Number(sizes[1]);
  });
}

/** The first 4 KiB of a file, gunzipped where it is gzip; fewer where it is shorter. Errors as bytesOf. */
export async function headOf(path: string): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of bytesOf(path)) {
    head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    if (head.length === HEAD_BYTES) break;
  }
  return head;
}

export function isPlainText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));
}

import { bytesOf } from './byte-source.ts';

/** Enough to see what a text is: its first lines, unless they are absurdly long. */
const HEAD_BYTES = 4096;

export type TextKind = 'adjacency' | 'edges' | 'host-table' | 'matrix' | 'named-pairs' | 'vertices';

/** What the text that begins so is; undefined where nothing known is seen. */
export function textKind(head: Uint8Array): TextKind | undefined {
  const lines = new TextDecoder('latin1').decode(head).split(/\r?\n/);
  if (/^\s*[0-9]+\s*$/.test(lines[0])) return 'adjacency';
  if (/^%%MatrixMarket/i.test(lines[0]) || beginsLikeSmat(lines)) return 'matrix';
  const first = lines.find((line) => !/^[ \t]*([#%]|$)/.test(line));
  if (first !== undefined && /^[0-9]{4}\|[^|\t]+\|[^|\t]+\t[0-9]+$/.test(first)) return 'host-table';
  if (/^[0-9]+\t[^\t ]*[^\t 0-9][^\t ]*(\t[0-9]+)?$/.test(lines[0])) return 'vertices';
  const pair = first?.split('\t') ?? [];
  if (pair.length === 2 && isPlainText(head) && pair.every((name) => /[^-0-9., ]/.test(name))) return 'named-pairs';
  if (first === undefined || /^[ \t]*[0-9]+([ \t]+|[ \t]*,[ \t]*)[0-9]/.test(first)) return 'edges';
  return undefined;
}

/**
 * Whether line 1 is `n n entries` and all ids of the whole lines behind it are below n. A list of weighted links would have to begin
 * with a link of its largest page to itself to look so.
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

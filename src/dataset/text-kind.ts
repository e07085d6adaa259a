import { bytesOf } from './byte-source.ts';

/** Enough to see what a text is: its first lines, unless they are absurdly long. */
const HEAD_BYTES = 4096;

export type TextKind = 'adjacency' | 'edges';

/** What the text that begins so is; undefined where nothing known is seen. */
export function textKind(head: Uint8Array): TextKind | undefined {
  const lines = new TextDecoder('latin1').decode(head).split(/\r?\n/);
  if (/^\s*[0-9]+\s*$/.test(lines[0])) return 'adjacency';
  const first = lines.find((line) => !/^[ \t]*([#%]|$)/.test(line));
  if (first === undefined || /^[ \t]*[0-9]+([ \t]+|[ \t]*,[ \t]*)[0-9]/.test(first)) return 'edges';
  return undefined;
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

export function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));
}

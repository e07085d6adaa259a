import { InputError } from '../../base/index.ts';
import type { FileKind } from './format.ts';

/** Formats that are known and not supported: name, title, beginning, and what can be done instead. */
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

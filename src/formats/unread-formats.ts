import { InputError } from '../base/index.ts';

const unpack = (program: string): string => `unpack it first (${program})`;
const asLinks = 'write its links as an edge list, two page ids a line, or as GraphML';

/** Formats that are known and not read: what their files are, how these begin, and what can be done instead. */
const unreadFormats: readonly { readonly title: string; readonly begins: RegExp; readonly instead: string }[] = [
  {
    title: 'an ARC file, the format before WARC',
    begins: /^filedesc:\/\//,
    instead: 'convert it to WARC first (warcio recompress)',
  },
  { title: 'compressed by LZ4', begins: /^(\x04"M|\x02!L)\x18/, instead: unpack('lz4 -d') },
  { title: 'compressed by Zstandard', begins: /^(\(\xb5\/\xfd|[P-_]\*M\x18)/, instead: unpack('zstd -d') },
  { title: 'compressed by bzip2', begins: /^BZh[1-9]1AY&SY/, instead: unpack('bunzip2') },
  { title: 'compressed by xz', begins: /^\xfd7zXZ\0/, instead: unpack('unxz') },
  { title: 'a ZIP archive', begins: /^PK\x03\x04/, instead: unpack('unzip') },
  { title: 'a GML document', begins: /^\s*((#|(creator|version|comment)\b)[^\n]*\n\s*)*graph\s*\[/i, instead: asLinks },
  { title: 'a Pajek network', begins: /^\s*(%[^\n]*\n\s*)*\*(network|vertices)\b/i, instead: asLinks },
];

/**
 * Refuses a file by its first bytes where it is of a format known and not read.
 * Errors   InputError naming the format, and what can be done instead.
 */
export function refuseUnread(head: Uint8Array, path: string): void {
  const text = Buffer.from(head.subarray(0, 4096)).toString('latin1');
  const format = unreadFormats.find(({ begins }) => begins.test(text));
  if (format !== undefined) throw new InputError(`${path}: is ${format.title}, which is not read; ${format.instead}`);
}

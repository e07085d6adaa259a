import type { PageRead } from './page.ts';

/** A PageRead for transfer between threads: copying one string costs a fraction of copying an array of strings. */
export interface PackedRead extends Omit<PageRead, 'links'> {
  /** Separated by line feeds, which no URL contains. */
  readonly links: string;
}

export function packed(read: PageRead): PackedRead {
  return { ...read, links: read.links.join('\n') };
}

export function unpacked(read: PackedRead): PageRead {
  return { ...read, links: read.links === '' ? [] : read.links.split('\n') };
}

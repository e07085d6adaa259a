import type { PageRead } from './page.ts';

/** A PageRead as it goes between threads: a string is copied at a fraction of what an array of them costs. */
export interface PackedRead extends Omit<PageRead, 'links'> {
  /** Separated by line feeds, which no URL holds. */
  readonly links: string;
}

export function packed(read: PageRead): PackedRead {
  return { ...read, links: read.links.join('\n') };
}

export function unpacked(read: PackedRead): PageRead {
  return { ...read, links: read.links === '' ? [] : read.links.split('\n') };
}

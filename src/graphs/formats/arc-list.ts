import { grown } from '../../base/index.ts';
import { sharedUint32 } from '../graph/index.ts';

/** Links in the order in which they are added: link i goes from sources[i] to targets[i]. 8 to 16 bytes per link. */
export class ArcList {
  #sources = new Uint32Array(1 << 12);
  #targets = new Uint32Array(1 << 12);
  #length = 0;
  #largest = -1;

  get length(): number {
    return this.#length;
  }

  get sources(): Uint32Array {
    return this.#sources.subarray(0, this.#length);
  }

  get targets(): Uint32Array {
    return this.#targets.subarray(0, this.#length);
  }

  /** Largest id added; -1 before any. */
  get largestId(): number {
    return this.#largest;
  }

  /** Adds a link both ways; a self-loop only once. */
  addBothWays(a: number, b: number): void {
    this.add(a, b);
    if (a !== b) this.add(b, a);
  }

  add(source: number, target: number): void {
    this.#sources = grown(this.#sources, this.#length + 1);
    this.#targets = grown(this.#targets, this.#length + 1);
    this.#sources[this.#length] = source;
    this.#targets[this.#length++] = target;
    this.#largest = Math.max(this.#largest, source, target);
  }
}

/** Ids of pages in a source that counts from 1. */
export function idsFromOne(pages: number): Uint32Array {
  const ids = sharedUint32(pages);
  for (let page = 0; page < pages; page++) ids[page] = page + 1;
  return ids;
}

/** Notes `edges` that became links both ways, if there are any. */
export function noteBothWays(name: string, edges: number, onNote: ((note: string) => void) | undefined): void {
  if (edges === 0) return;
  onNote?.(`${name}: ${edges} ${edges === 1 ? 'edge is' : 'edges are'} undirected, each a link both ways`);
}

import { bytesInUse, collect } from '../hold/memory.ts';
import { algorithmsOf, isAlgorithm1 } from './entrants.ts';
import type { ClosureSpace } from './result.ts';

/** Pages of SPAWC's figure 12 end here. */
export const figure12Pages = 250_000;

/** A heap's own changes outweigh smaller structures. */
const measuredPages = [2000, 4000, 8000];

/** Bytes of a closure of n pages, by formula: a bit or a byte per ordered pair. */
export const bitBytes = (pages: number): number => pages ** 2 / 8;
export const byteBytes = (pages: number): number => pages ** 2;

/**
 * Figure 12, measured: what an algorithm with a matrix of bits takes before any arc (Algorithm 1 with blocks of 64
 * bits, or else our pruned closure), and a matrix of bytes.
 */
export async function measureSpace(signal: AbortSignal): Promise<ClosureSpace[]> {
  const all = algorithmsOf('components');
  const closure = all.find(({ numbers: [number = null] }) => isAlgorithm1({ kind: 'components', number })) ??
    all.find(({ name }) => name === 'pruned')!;
  // Loads its kernel: the code is not part of a closure.
  closure.make(1, 1);
  const space: ClosureSpace[] = [];
  for (const pages of measuredPages) {
    if (signal.aborted) break;
    space.push({
      pages,
      bitBytes: await bytesOf(() => closure.make(pages, 1)),
      byteBytes: await bytesOf(() => new Uint8Array(pages ** 2)),
    });
  }
  return space;
}

async function bytesOf(make: () => { readonly pages: number } | Uint8Array): Promise<number> {
  await collect();
  const startBytes = bytesInUse();
  const result = make();
  await collect();
  const bytes = bytesInUse() - startBytes;
  // Used after the last reading, so that it cannot be collected before.
  return 'pages' in result && result.pages === 0 ? 0 : bytes;
}

import { DrawStream, InputError } from '../../src/base/index.ts';
import { checkGraph, type WebGraph } from '../../src/graphs/graph/index.ts';
import { tries } from '../sweep.ts';

/**
 * Damages `text` in `tries(rounds)` seeded ways (bytes changed, cut out, put in; the end cut off) and has each read:
 * all must give a sound graph or an InputError that names the file. Returns how many were refused.
 */
export async function refusedOfDamaged(
  text: string, rounds: number, read: (bytes: Uint8Array) => Promise<WebGraph | undefined>,
): Promise<number> {
  const draws = new DrawStream(11, 'damaged text');
  let drawn = 0;
  const below = (bound: number): number => Math.floor(draws.uniform(drawn++) * bound);
  const letters = ['0', '9', '-', '.', '\t', ' ', '\n', '\r', '|', '%', '#', 'e', '\xff', '\0', '99999999999'];
  let refused = 0;
  for (let round = 0; round < tries(rounds); round++) {
    let bytes = text;
    for (let faults = 1 + below(3); faults > 0; faults--) {
      const at = below(bytes.length);
      const letter = letters[below(letters.length)];
      const [put, left] = [
        [letter, 1], [letter, 0], ['', 1 + below(9)], ['', bytes.length],
      ][below(4)] as [string, number];
      bytes = bytes.slice(0, at) + put + bytes.slice(at + left);
    }
    try {
      const graph = await read(Buffer.from(bytes, 'latin1'));
      if (graph) checkGraph(graph);
    } catch (error) {
      if (!(error instanceof InputError) || !error.message.includes('damaged')) throw error;
      refused++;
    }
  }
  return refused;
}

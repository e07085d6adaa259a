import { log } from '../../base/index.ts';

/**
 * Inverse document frequency as Lucene has it: ln(1 + (N - n + 0.5) / (n + 0.5)), which is above 0 for every word.
 *
 * @param documents - N, of the whole index.
 * @param frequency - n, those with the word.
 */
export function inverseDocumentFrequency(documents: number, frequency: number): number {
  return log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

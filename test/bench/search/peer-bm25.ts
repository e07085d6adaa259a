import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface PeerRanks {
  readonly version: string;
  /** Numbers of the best documents per query, the best first. */
  readonly results: readonly (readonly number[])[];
}

/**
 * The best documents by tantivy's BM25, by way of its Python package.
 *
 * @param documents the words of each, separated by spaces.
 * @returns undefined where Python or the package is not there.
 */
export function tantivyRanks(
  documents: readonly string[], queries: readonly (readonly string[])[], { hits = 10, python = 'python3' } = {},
): PeerRanks | undefined {
  const script = fileURLToPath(new URL('tantivy_ranks.py', import.meta.url));
  if (spawnSync(python, ['-c', 'import tantivy']).status !== 0) return undefined;
  const { status, stdout, stderr } = spawnSync(python, [script], {
    input: JSON.stringify({ documents, queries, hits }), encoding: 'utf8', maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`tantivy: ${stderr}`);
  return JSON.parse(stdout) as PeerRanks;
}

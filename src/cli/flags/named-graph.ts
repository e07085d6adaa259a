import { openGraph } from '../../catalogue/index.ts';
import type { ReadOptions } from '../../formats/index.ts';
import type { WebGraph } from '../../graph/index.ts';
import { decimal } from '../text/figures.ts';
import { remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { ProgressLine } from '../text/progress.ts';

/** The graph that the user names; damaged parts of its source that are skipped are reported on standard error. */
export function namedGraph(name: string): Promise<WebGraph> {
  return withReadingProgress((options) =>
    openGraph(name, { ...options, onFault: (fault) => remark(`warning: ${printable(fault)}`) }),
  );
}

/** Calls `read` with options that show its progress. */
export async function withReadingProgress<T>(read: (options: Pick<ReadOptions, 'onBytes'>) => Promise<T>): Promise<T> {
  const progress = new ProgressLine();
  try {
    return await read({
      onBytes: (path, bytes) => progress.show(() => `reading ${path}: ${decimal(bytes / 1e6, 1)} MB`),
    });
  } finally {
    progress.clear();
  }
}

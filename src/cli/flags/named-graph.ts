import { openGraph } from '../../catalogue/index.ts';
import type { ReadOptions } from '../../formats/index.ts';
import type { WebGraph } from '../../graph/index.ts';
import { decimal } from '../text/figures.ts';
import { remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { ProgressLine } from '../text/progress.ts';
import { STANDARD_INPUT, withStandardInput } from './standard-input.ts';

/**
 * The graph that the user names, `-` for the one on standard input; damaged parts of its source that are skipped are
 * reported on standard error.
 * @param title its name, in place of that of its file.
 */
export function namedGraph(name: string, title?: string): Promise<WebGraph> {
  return readWithProgress([name], ([path], { inWords, ...options }) =>
    openGraph(path, {
      ...options, ...(title !== undefined && { name: title }),
      onFault: (fault) => remark(`warning: ${printable(inWords(fault))}`),
    }),
  );
}

type WithProgress = Pick<ReadOptions, 'onBytes' | 'name'> & { readonly inWords: (text: string) => string };

/** Calls `read` with the paths of the files named, `-` for standard input, and with options that show its progress. */
export async function readWithProgress<T>(
  names: readonly string[], read: (paths: readonly string[], options: WithProgress) => Promise<T>,
): Promise<T> {
  const progress = new ProgressLine();
  try {
    return await withStandardInput(names, (paths, inWords) => read(paths, {
      onBytes: (path, bytes) => progress.show(() => `reading ${inWords(path)}: ${decimal(bytes / 1e6, 1)} MB`),
      inWords,
      ...(names[0] === STANDARD_INPUT && { name: 'stdin' }),
    }));
  } finally {
    progress.clear();
  }
}

import type { ListedRun } from '../../service/dashboard/api.ts';
import { wordFinder } from './words.ts';

/** What is looked for in the list of runs; '' and `all`: everything. */
export interface Sought {
  readonly words: string;
  readonly state: ListedRun['state'] | 'all';
  readonly kind: ListedRun['kind'] | 'all';
  readonly policy: string;
}

export const everything: Sought = { words: '', state: 'all', kind: 'all', policy: '' };

/** Runs whose name, policy, command, answer or folder has all the words, and which have the state, kind and policy. */
export function shownRuns(runs: readonly ListedRun[], { words, state, kind, policy }: Sought): ListedRun[] {
  const hasWords = wordFinder(words);
  return runs.filter((run) => {
    if (state !== 'all' && run.state !== state) return false;
    if (kind !== 'all' && run.kind !== kind) return false;
    if (policy !== '' && run.figures?.policy !== policy) return false;
    return hasWords([run.name, run.figures?.policy, run.command, run.answer, run.folder].join(' '));
  });
}

/** Whether its curves and figures can be compared: it is a finished crawl with a record. */
export function isComparable({ state, folder, kind, figures }: ListedRun): boolean {
  return state === 'finished' && folder !== null && figures !== null && (kind === 'simulation' || kind === 'live');
}

/** The command that compares finished runs, as one would type it. */
export function compareCommand(runs: readonly ListedRun[]): string {
  return ['orbweaver compare', ...runs.map(({ folder, id }) => typedArgument(folder ?? id))].join(' ');
}

/** A word for a shell of POSIX. */
function typedArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

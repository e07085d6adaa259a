import type { ListedRun } from '../../service/dashboard/api.ts';

export type StateFilter = ListedRun['state'] | 'all';

/** Runs whose name, policy, command or folder has all the words, in the state that is asked for. */
export function shownRuns(runs: readonly ListedRun[], words: string, state: StateFilter): ListedRun[] {
  const each = words.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return runs.filter((run) => {
    if (state !== 'all' && run.state !== state) return false;
    const text = `${run.name} ${run.figures?.policy ?? ''} ${run.command} ${run.folder ?? ''}`.toLowerCase();
    return each.every((word) => text.includes(word));
  });
}

/** The command that compares finished runs, as one would type it. */
export function compareCommand(runs: readonly ListedRun[]): string {
  return ['orbweaver compare', ...runs.map(({ folder, id }) => typedArgument(folder ?? id))].join(' ');
}

/** A word for a shell of POSIX. */
function typedArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

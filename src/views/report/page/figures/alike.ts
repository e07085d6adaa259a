import type { ReportData, ReportRun } from '../../data.ts';
import type { Panel } from './figure.ts';
import { distinctRuns, runColours } from '../chart/palette.ts';
import type { Part } from '../sentences.ts';

/** Runs with the same small drawing, which is drawn once. */
export interface AlikeRuns {
  readonly first: ReportRun;
  readonly caption: readonly Part[];
  readonly colour: string;
}

/** Groups runs by the result of `shown`, in the order of their first runs. */
export function alikeRuns(data: ReportData, drawingOf: (run: ReportRun) => unknown): AlikeRuns[] {
  const groups = new Map<string, number[]>();
  data.runs.forEach((run, i) => {
    const text = JSON.stringify(drawingOf(run));
    groups.set(text, [...groups.get(text) ?? [], i]);
  });
  return [...groups.values()].map((members) => ({
    first: data.runs[members[0]],
    caption: members.length === data.runs.length && members.length > 1 ? ['the same in every run']
      : members.length > 4 ? [`the same in ${members.length} runs`]
        : members.flatMap((run, i): Part[] => (i === 0 ? [{ run }] : [', ', { run }])),
    colour: members.length === 1 ? runColours(members[0], data.runs.length).line : 'var(--shared)',
  }));
}

/** One small drawing per group; if there are very many, only the first ones and a line that says so. */
export function smallDrawings(groups: readonly AlikeRuns[], draw: (group: AlikeRuns) => Panel): Panel[] {
  const panels = groups.slice(0, distinctRuns).map(draw);
  if (groups.length <= distinctRuns) return panels;
  return [{ size: 'full', caption: [`The first ${distinctRuns} of ${groups.length}:`] }, ...panels];
}

/** The maximum over the runs with as many processors as `run`: their drawings share a scale. */
export function maxOf(data: ReportData, run: ReportRun, values: (run: ReportRun) => readonly number[]): number {
  const processors = run.processors.pages.length;
  return data.runs.filter((other) => other.processors.pages.length === processors)
    .reduce((greatest, other) => values(other).reduce((a, b) => Math.max(a, b), greatest), 1);
}

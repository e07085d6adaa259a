import { figureOf, runFigures, type RunFigureName } from '../../../../core/measure/figures/index.ts';
import { figureText, number } from '../../../report/page/format.ts';
import type { ListedRun, RunView } from '../../../service/dashboard/api.ts';

/** A row of the table: a text for each run, and which of them are the best. */
export interface ComparedRow {
  readonly name: string;
  readonly cells: readonly string[];
  readonly best: readonly boolean[];
}

/** Names by which runs can be told apart: their folders', with a number where two are alike. */
export function namesOf(runs: readonly Pick<ListedRun, 'name' | 'folder'>[]): string[] {
  const names = runs.map(({ name, folder }) => folder?.split(/[/\\]/).at(-1) ?? name);
  return names.map((name, i) => {
    const alike = names.slice(0, i).filter((other) => other === name).length;
    return alike === 0 ? name : `${name} (${alike + 1})`;
  });
}

/** Settings that are not the same in all runs, by their dotted names; '' where a run has none. */
export function differingSettings(runs: readonly Pick<RunView, 'run'>[]): ComparedRow[] {
  const each = runs.map(({ run }) => new Map(run !== null && 'settings' in run ? flat(run.settings, '') : []));
  const names = [...new Set(each.flatMap((settings) => [...settings.keys()]))];
  return names.flatMap((name) => {
    const cells = each.map((settings) => settings.get(name) ?? '');
    return cells.every((cell) => cell === cells[0]) ? [] : [{ name, cells, best: cells.map(() => false) }];
  });
}

function flat(settings: Readonly<Record<string, unknown>>, within: string): [string, string][] {
  return Object.entries(settings).flatMap(([name, value]): [string, string][] => {
    const path = `${within}${name}`;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return flat(value as Readonly<Record<string, unknown>>, `${path}.`);
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  });
}

/** Figures of finished runs; the best of each row are marked, unless all look alike. */
export function comparedFacts(views: readonly Pick<RunView, 'listed' | 'summary'>[]): ComparedRow[] {
  return facts.map(({ name, valueOf, text, better }) => {
    const values = views.map(valueOf);
    const known = values.filter((value) => value !== null);
    const most = text(better === 'more' ? Math.max(...known) : Math.min(...known));
    const cells = values.map((value) => (value === null ? none : text(value)));
    const differ = new Set(cells.filter((cell) => cell !== none)).size > 1;
    return { name, cells, best: cells.map((cell) => better !== undefined && differ && cell === most) };
  }).filter(({ cells }) => cells.some((cell) => cell !== none));
}

const none = 'none';

interface Fact {
  readonly name: string;
  readonly valueOf: (view: Pick<RunView, 'listed' | 'summary'>) => number | null;
  readonly text: (value: number) => string;
  /** Undefined where neither is better. */
  readonly better?: 'more' | 'less' | undefined;
}

const pagesPerSecond: Fact = {
  name: 'Pages per second', text: (value) => number(value, 1), better: 'more',
  valueOf: ({ listed: { figures } }) => (figures && figures.seconds > 0 ? figures.pages / figures.seconds : null),
};

const facts: readonly Fact[] = [
  ...factsOf('pagerankArea', 'rankGathered', 'secondsToHalf', 'secondsToMost', 'pagesFetched', 'virtualSeconds'),
  pagesPerSecond, ...factsOf('robotsBusy', 'balancePages', 'pairsPerPage', 'supersteps'),
];

function factsOf(...names: readonly RunFigureName[]): Fact[] {
  return names.map((name) => {
    const { title, better } = runFigures[name];
    return {
      name: title[0].toUpperCase() + title.slice(1), valueOf: ({ summary }) => figureOf(summary, name),
      text: (value) => figureText(name, value), better: name === 'virtualSeconds' ? undefined : better,
    };
  });
}

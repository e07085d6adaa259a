import { duration, number, percent } from '../../../report/page/format.ts';
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
  return facts.map(({ name, of, text, better }) => {
    const values = views.map(of);
    const numbers = values.filter((value) => value !== null);
    const most = text(better === 'more' ? Math.max(...numbers) : Math.min(...numbers));
    const cells = values.map((value) => (value === null ? none : text(value)));
    const differ = new Set(cells.filter((cell) => cell !== none)).size > 1;
    return { name, cells, best: cells.map((cell) => better !== undefined && differ && cell === most) };
  }).filter(({ cells }) => cells.some((cell) => cell !== none));
}

const none = 'none';

interface Fact {
  readonly name: string;
  readonly of: (view: Pick<RunView, 'listed' | 'summary'>) => number | null;
  readonly text: (value: number) => string;
  /** Without it, neither is. */
  readonly better?: 'more' | 'less';
}

const figure = (name: 'pages' | 'seconds' | 'rank' | 'pagerankArea' | 'balance' | 'supersteps'): Fact['of'] =>
  ({ listed: { figures } }) => figures?.[name] ?? null;

/** A number of `run.json`'s summary by its dotted name. */
const inSummary = (path: string): Fact['of'] => ({ summary }) => {
  const value = path.split('.').reduce<unknown>((at, step) =>
    (at as Readonly<Record<string, unknown>> | null | undefined)?.[step], summary);
  return typeof value === 'number' ? value : null;
};

const facts: readonly Fact[] = [
  { name: 'PageRank area', of: figure('pagerankArea'), text: (value) => number(value, 4), better: 'more' },
  { name: 'Rank gathered', of: figure('rank'), text: percent, better: 'more' },
  { name: '50 % of the rank after', of: inSummary('secondsToRank.50'), text: duration, better: 'less' },
  { name: '90 % of the rank after', of: inSummary('secondsToRank.90'), text: duration, better: 'less' },
  { name: 'Pages', of: figure('pages'), text: (value) => number(value) },
  { name: 'Time of the run', of: figure('seconds'), text: duration },
  {
    name: 'Pages per second', text: (value) => number(value, 1), better: 'more',
    of: ({ listed: { figures } }) => (figures && figures.seconds > 0 ? figures.pages / figures.seconds : null),
  },
  { name: 'Robots busy', of: inSummary('robots.busy'), text: percent, better: 'more' },
  { name: 'Balance of pages', of: figure('balance'), text: (value) => number(value, 3), better: 'more' },
  {
    name: 'Pairs sent per page', of: inSummary('communication.pairsPerPage'), text: (value) => number(value, 2),
    better: 'less',
  },
  { name: 'Supersteps', of: figure('supersteps'), text: (value) => number(value) },
];

/** What others measure crawls by, a row a run; a column where at least one run has the figure. */
import type { ReportData, ReportSummary } from '../../data.ts';
import { element, outside } from '../dom.ts';
import { duration, number, percent } from '../format.ts';
import { runColours } from '../chart/palette.ts';

interface Measure {
  readonly name: string;
  /** What it means, after its name. */
  readonly meaning: string;
  /** Null where the run has none. */
  readonly of: (summary: ReportSummary) => string | null;
}

const share = (value: number | null): string | null => (value === null ? null : percent(value));

const measures: readonly Measure[] = [
  {
    name: 'hottest 1 %',
    meaning:
      'of the pages within reach, by PageRank: the share of them fetched after a tenth of the crawl (Cho, Garcia-Molina & Page 1998)',
    of: ({ hotPages }) => share(hotPages['1%']['10%']),
  },
  { name: 'hottest 10 %', meaning: 'the same, after a quarter', of: ({ hotPages }) => share(hotPages['10%']['25%']) },
  {
    name: 'coverage',
    meaning: 'pages fetched of those within reach (this, quality and overlap: Cho & Garcia-Molina 2002)',
    of: ({ parallel }) => share(parallel.coverage),
  },
  {
    name: 'quality', meaning: 'of the best pages, as many as were fetched, the share that was',
    of: ({ parallel }) => share(parallel.quality),
  },
  {
    name: 'overlap', meaning: 'pages fetched again, by page; only crashes cause it',
    of: ({ parallel }) => (parallel.overlap === 0 ? null : share(parallel.overlap)),
  },
  {
    name: 'tail', meaning: 'the time in which no more hosts than processors had pages left',
    of: ({ tail }) => (tail === null ? null : duration(tail.seconds)),
  },
  {
    name: 'tail at least', meaning: 'what one of those hosts asked for, one page after another',
    of: ({ tail }) => (tail === null ? null : duration(tail.lowerBoundSeconds)),
  },
  {
    name: 'harvest',
    meaning: 'the mean of the given scores over the first tenth fetched, over that of all within reach',
    of: ({ harvest }) => {
      const first = harvest?.meanAfter['10%'] ?? null;
      return harvest === null || first === null ? null : number(first / harvest.reachableMean, 2);
    },
  },
  {
    name: 'tau-b',
    meaning:
      "Kendall's, of the PageRank of the pages fetched by themselves against their true ranks (Boldi, Santini & Vigna 2004)",
    of: ({ subgraphTauB }) => (subgraphTauB === null ? null : number(subgraphTauB, 4)),
  },
];

export function measured(data: ReportData): HTMLElement {
  const shown = measures.filter(({ of }) => data.runs.some(({ summary }) => of(summary) !== null));
  const rows = data.runs.map((run, i) => {
    const colours = runColours(i, data.runs.length);
    return element(
      'tr',
      {},
      element(
        'td',
        { class: 'run', title: run.label, style: `--run: ${colours.line}; --run-ink: ${colours.ink}` },
        outside(run.label),
      ),
      ...shown.map(({ of }) => element('td', {}, of(run.summary) ?? 'none')),
    );
  });
  return element(
    'section',
    {},
    element('h2', {}, 'As others measure crawls'),
    element(
      'div',
      { class: 'scroll tight' },
      element(
        'table',
        { class: 'partition' },
        element(
          'thead', {}, element('tr', {}, element('th', {}, 'run'), ...shown.map(({ name }) => element('th', {}, name))),
        ),
        element('tbody', {}, ...rows),
      ),
    ),
    element(
      'p',
      { class: 'sentence' },
      shown.map(({ name, meaning }) => `${name[0].toUpperCase()}${name.slice(1)}: ${meaning}. `).join(''),
    ),
  );
}

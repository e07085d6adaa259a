/** Measures from the literature, one row per run; a column if at least one run has the figure. */
import type { ReportData, ReportSummary } from '../../data.ts';
import { element, outside, scrolling } from '../dom.ts';
import { duration, number, percent } from '../format.ts';
import { runColours } from '../chart/palette.ts';

interface Measure {
  readonly name: string;
  /** Its meaning, shown after its name. */
  readonly meaning: string;
  /** Null if the run does not have it. */
  readonly of: (summary: ReportSummary) => string | null;
}

const share = (value: number | null): string | null => (value === null ? null : percent(value));

const measures: readonly Measure[] = [
  {
    name: 'hottest 1 %',
    meaning:
      'share of the top 1 % of the pages within reach, by PageRank, that was fetched after a tenth of the crawl (Cho, Garcia-Molina & Page 1998)',
    of: ({ hotPages }) => share(hotPages['1%']['10%']),
  },
  {
    name: 'hottest 10 %', meaning: 'the same for the top 10 %, after a quarter',
    of: ({ hotPages }) => share(hotPages['10%']['25%']),
  },
  {
    name: 'coverage',
    meaning: 'share of the pages within reach that was fetched (this, quality and overlap: Cho & Garcia-Molina 2002)',
    of: ({ parallel }) => share(parallel.coverage),
  },
  {
    name: 'quality', meaning: 'share fetched of the best pages, taking as many of these as pages were fetched',
    of: ({ parallel }) => share(parallel.quality),
  },
  {
    name: 'overlap', meaning: 'pages fetched again, per page; only crashes cause this',
    of: ({ parallel }) => (parallel.overlap === 0 ? null : share(parallel.overlap)),
  },
  {
    name: 'tail', meaning: 'share of the time in which no more hosts than processors had pages left',
    of: ({ tail }) => (tail === null ? null : duration(tail.seconds)),
  },
  {
    name: 'tail at least', meaning: 'time that one of those hosts needed, one page after another',
    of: ({ tail }) => (tail === null ? null : duration(tail.lowerBoundSeconds)),
  },
  {
    name: 'harvest',
    meaning: 'mean score of the first tenth fetched, divided by that of all pages within reach',
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
    element('h2', {}, 'Measures from the literature'),
    scrolling(
      'scroll tight',
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

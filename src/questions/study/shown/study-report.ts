import { isBeyondNoise } from '../../../core/measure/index.ts';
import type { Chart, Point, Series, Shown, ShownReport, ShownTable } from '../../../views/report/index.ts';
import {
  contenders, grouped, labelOf, meanCurve, ranked, type Analysis, type Combination, type Effect, type MeanPoint,
} from '../analysis.ts';
import { answerShown, fixed, listed, withInterval } from './answer.ts';
import { figure, type Cell, type Figure, type FigureName } from '../figures.ts';
import type { StudyResult } from '../run/run-study.ts';

/** Limits of the settings and curves drawn: more could not be distinguished. */
const maxSettings = 9;
const maxCurves = 16;

const area = figure('pagerankArea');
const pairs = figure('pairsPerPage');

type Part = ShownReport['parts'][number];

/** What people see of a study, part by part, the answer first. */
export function studyParts(analysis: Analysis): Part[] {
  return [
    { name: 'answer', title: 'The answer', shown: answerShown(analysis) },
    ...(analysis.subject === undefined ? [] : [
      { name: 'front', title: 'Trade-offs', shown: frontShown(analysis) },
      { name: 'effects', title: 'What mattered most', shown: effectsShown(analysis) },
    ]),
    { name: 'by-pages', title: 'Rank gathered, page by page', shown: curvesShown(analysis, 'pages') },
    { name: 'by-seconds', title: 'Rank gathered, second by second', shown: curvesShown(analysis, 'seconds') },
    ...(analysis.subject === undefined ? [] : [{ name: 'means', title: 'Every setting', shown: meansShown(analysis) }]),
  ];
}

/** The whole of report.html. */
export function studyReport(result: StudyResult, analysis: Analysis, command: string): ShownReport {
  const { dataset, study, runs, outcomes, version } = result;
  return {
    title: study.title ?? `A study of ${dataset.name}`,
    circumstances: [studySentence(result)],
    warning:
      [
        ...(outcomes.length < runs ? [`Interrupted: ${outcomes.length} of ${runs} runs are finished and shown.`] : []),
        ...(dataset.hostsAreSynthetic ? ['The hosts of this graph are synthetic, and so is everything that depends on them.'] : []),
      ].join(' ') || null,
    command,
    parts: studyParts(analysis),
    notes: [
      'Area: mean share of PageRank gathered over the pages of the crawl, at most 1. The rank: all PageRank within reach (or that of the best pages within the page limit).',
      "Intervals: Student's t, 95 %, over the seeds; each draws another network. Runs with the same seed meet the same network, so differences are taken seed by seed.",
      'Time is virtual; queue and scheduler take none. Pairs: (page, amount), sent to other processors, combined per superstep.',
      `Graph sha256 ${dataset.sha256}; code ${version}.`,
    ],
  };
}

export function studySentence({ dataset, study: { axes, sample }, runs }: StudyResult): string {
  const product = axes
    .map(({ name, values }) =>
      values.length === 1 ? labelOf({ name, values }, values[0]) : `${values.length} of ${name}`,
    )
    .join(', ');
  const sampling = sample === undefined ? '' : `, drawn from the grid with seed ${sample.seed}`;
  return (
    `${dataset.name}: ${fixed(dataset.pages, 0)} pages, ${fixed(dataset.arcs, 0)} links, ${fixed(dataset.hosts, 0)} hosts. ` +
    `${fixed(runs, 0)} ${runs === 1 ? 'run' : 'runs'}${product === '' ? '' : ` (${product})`}${sampling}.`
  );
}

function curvesShown({ combinations, settings }: Analysis, by: 'pages' | 'seconds'): Shown {
  const shownSettings = settings.slice(0, maxSettings);
  // The same curves in every chart, so that colours mean the same.
  const best = [...new Set(ranked(combinations, area).map(({ subject }) => subject))].slice(0, maxCurves);
  const charts = shownSettings.flatMap((setting): Chart[] => {
    const series = best.flatMap((name): Series[] => {
      const combination = combinations.find((member) => member.setting === setting && member.subject === name);
      const curve = combination && meanCurve(combination, by);
      return curve === undefined ? [] : [{ name: name === '' ? 'mean' : name, points: curve.map(drawnPoint) }];
    });
    if (series.length === 0) return [];
    return [
      {
        title: setting === '' ? `Share of the rank, by ${by}` : setting,
        isSynthetic: false,
        ...(shownSettings.length > 2 && { isSmall: true as const }),
        // Most of the rank comes early: the decades of time are what differs.
        x: by === 'pages' ? { label: 'pages fetched', scale: 'linear' } : { label: 'virtual seconds', scale: 'log' },
        y: { label: 'share of the rank', scale: 'linear' },
        series,
      },
    ];
  });
  const limits = [
    ...(settings.length > shownSettings.length ? [`the first ${shownSettings.length} of ${settings.length} settings`] : []),
    ...(new Set(combinations.map(({ subject }) => subject)).size > best.length
      ? [`the ${best.length} with the largest area`]
      : []),
  ];
  const seeds = Math.max(...combinations.map(({ outcomes }) => outcomes.length), 0);
  return {
    paragraphs: [
      `${seeds > 1 ? 'Each curve is the mean over its seeds, its band the 95 % interval. ' : ''}${by === 'pages' ? 'The higher, the better the order' : 'The further left, the sooner'}.` +
        (limits.length === 0 ? '' : ` Drawn: ${listed(limits)}.`) +
        (charts.length === 0 ? ' Too many runs to draw their curves.' : ''),
    ],
    tables: [],
    charts,
  };
}

function drawnPoint({ at, rank: { mean, low, high } }: MeanPoint): Point {
  return { x: at, y: mean, ...(low !== null && high !== null && { band: [low, high] }) };
}

function frontShown({ combinations, time }: Analysis): Shown {
  const comparable = combinations.filter(
    ({ means }) => means.pagerankArea !== null && means[time.name] !== null && means.pairsPerPage !== null,
  );
  const front = comparable.filter(({ isOnFront }) => isOnFront);
  const nameOf = ({ subject: name, setting }: Combination): string =>
    [name, setting].filter((text) => text !== '').join(', ');
  const series = [...grouped(comparable, (member) => member.subject)].map(([name, members]): Series => ({
    name,
    points: members.map((member) => ({
      x: member.means[time.name]!.mean,
      y: member.means.pagerankArea!.mean,
      ...(member.isOnFront && { isNotable: true as const }),
      remark: `${member.setting === '' ? '' : `${member.setting}; `}${fixed(member.means.pairsPerPage!.mean, 2)} pairs per page`,
    })),
  }));
  const oracles = comparable.length - contenders(comparable).length;
  return {
    paragraphs: [
      `${front.length} of ${comparable.length - oracles} combinations are on the Pareto front of area, time (${time.title}) and pairs per page: no other is as good in all three and better in one, beyond the noise of the seeds.` +
        (oracles === 0 ? '' : ` Those that know the ranks beforehand are drawn but not counted.`),
    ],
    tables: [
      {
        name: 'front',
        caption: 'The front, fastest first',
        columns: [
          { name: 'combination' },
          ...[time, area, pairs].map(({ title }) => ({ name: title })),
        ],
        rows: ranked(front, time).map((member): Cell[] => [
          nameOf(member),
          ...[time, area, pairs].map(({ name, digits }) => withInterval(member.means[name], digits)),
        ]),
      },
    ],
    charts: [
      {
        title: 'Area against time; tooltips show pairs per page', isSynthetic: false, isScatter: true,
        notable: 'on the Pareto front', x: { label: time.title, scale: 'log' },
        y: { label: 'PageRank area', scale: 'linear' }, series,
      },
    ],
  };
}

function effectsShown({ effects, figures, time }: Analysis): Shown {
  const of = ({ name }: Figure): Effect[] => effects.filter((effect) => effect.figure === name);
  const cellOf = (axis: string, by: Figure): Cell => {
    const effect = of(by).find((member) => member.axis === axis);
    return effect === undefined
      ? null
      : `${percent(effect.share)} (${fixed(effect.low.mean, by.digits)} to ${fixed(effect.high.mean, by.digits)})`;
  };
  const rest = (by: Figure): Cell => {
    const explained = of(by).reduce((sum, { share }) => sum + share, 0);
    return explained === 0 ? null : percent(Math.max(0, 1 - explained));
  };
  const table: ShownTable = {
    name: 'effects',
    caption: "Share of each figure's variance that an axis explains alone (means of its values, lowest to highest)",
    columns: [{ name: 'axis' }, ...figures.map(({ short }) => ({ name: short }))],
    rows: [
      ...[...new Set(effects.map(({ axis }) => axis))].map((axis): Cell[] => [
        axis, ...figures.map((by) => cellOf(axis, by)),
      ]),
      ['interactions', ...figures.map(rest)],
    ],
  };
  const described = [...new Set([area, time, figure('virtualSeconds'), pairs])];
  return { paragraphs: described.flatMap((by) => effectWords(by, of(by))), tables: [table], charts: [] };
}

const effectTitles: Readonly<Partial<Record<FigureName, string>>> = {
  pagerankArea: 'The area', secondsToHalf: 'The time to half of the rank',
  virtualSeconds: 'The time of the whole crawl', pairsPerPage: 'Communication (pairs per page)',
};

function effectWords({ name, title, digits }: Figure, effects: readonly Effect[]): string[] {
  const [first, second] = [...effects].sort((a, b) => b.share - a.share) as (Effect | undefined)[];
  if (first === undefined || first.share === 0) return [];
  const what = effectTitles[name] ?? `The time to ${title.split(' of')[0]} of the rank`;
  const nameOf = ({ axis }: Effect): string => (axis === 'seed' ? 'chance (the seed)' : axis);
  const then = second === undefined || second.share < 0.005 ? '' : `; then ${nameOf(second)}, ${percent(second.share)}`;
  return [
    `${what} depends most on ${nameOf(first)}, which explains ${percent(first.share)} of its variance${then}. ` +
      `It goes from ${fixed(first.low.mean, digits)} (${first.low.value}) to ${fixed(first.high.mean, digits)} ` +
      `(${first.high.value}) on average.`,
  ];
}

function percent(share: number): string {
  return `${fixed(100 * share, share < 0.1 && share > 0 ? 1 : 0)} %`;
}

function meansShown({ combinations, comparisons, subject, time, figures }: Analysis): Shown {
  const compared =
    comparisons.length === 0
      ? []
      : [
          {
            name: 'differences',
            caption: 'Difference from the best in the same setting, seed by seed: other - best, ± half of the 95 % interval',
            sections: 1,
            columns: [
              { name: 'setting' }, { name: subject?.name ?? '' }, { name: 'figure' }, { name: 'best' },
              { name: 'difference' }, { name: 'significant' },
            ],
            rows: comparisons.map(({ setting, figure: name, best, other, difference }): Cell[] => {
              const { title, digits } = figures.find((by) => by.name === name)!;
              return [
                setting, other, title, best, withInterval(difference, digits),
                difference.low === null ? '-' : isBeyondNoise(difference) ? 'yes' : 'no',
              ];
            }),
          },
        ];
  return {
    paragraphs: [`Means over the seeds ± half of the 95 % interval; time on the Pareto front: ${time.title}.`],
    tables: [
      {
        name: 'means',
        caption: 'By setting',
        sections: 1,
        columns: [
          { name: 'setting' }, { name: subject?.name ?? '' }, { name: 'runs' },
          ...figures.map(({ title }) => ({ name: title })), { name: 'front' },
        ],
        rows: combinations.map((member): Cell[] => [
          member.setting, member.subject, member.outcomes.length,
          ...figures.map(({ name, digits }) => withInterval(member.means[name], digits)), member.isOnFront ? 'yes' : '',
        ]),
      },
      ...compared,
    ],
    charts: [],
  };
}

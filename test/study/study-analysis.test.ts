import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import {
  analyse, meanCurve, resultColumns, resultsCsv, resultsParquet, studyCurvesCsv, studyDocument, studyParts, studyReport,
  type StudyOutcome, type StudyResult,
} from '../../src/questions/study/index.ts';
import { madeRun } from '../report/made-run.ts';
import { definePolicy, shippedPolicies } from '../../src/core/policy/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { tries } from '../sweep.ts';

// Goal: what is said of a study's results follows from them: intervals, paired differences, the front, shares of
// variance.

interface Made {
  readonly area: number;
  readonly half: number | null;
  readonly pairs: number;
}

const { run: { summary, dataset } } = madeRun();

function outcome(at: number[], seed: number, { area, half, pairs }: Made): StudyOutcome {
  return {
    at, seed, key: `key ${at.join(' ')}`, replayHash: `hash ${at.join(' ')}`,
    summary: {
      ...summary, communication: { ...summary.communication, pairsPerPage: pairs },
      quality: { ...summary.quality, pagerankArea: area }, secondsToRank: { 50: half, 80: null, 90: null },
    },
    curve: { pages: [1, 2], seconds: [10, 20], rank: [area / 2, area] },
  };
}

/** A study over policies, processors and seeds 1 ... seeds, in the order of the grid. */
function madeStudy(
  policies: readonly string[], processors: readonly number[], seeds: number,
  of: (policy: number, processor: number, seed: number) => Made,
): StudyResult {
  const outcomes = policies.flatMap((_policy, p) =>
    processors.flatMap((_count, q) =>
      Array.from({ length: seeds }, (_seed, s) => outcome([p, q, s], s + 1, of(p, q, s))),
    ),
  );
  const axes = [
    { name: 'policy', values: policies }, { name: 'processors', values: processors },
    { name: 'seed', values: Array.from({ length: seeds }, (_seed, s) => s + 1) },
  ];
  return {
    version: '1+a', dataset, runs: outcomes.length, outcomes, cached: 0,
    study: {
      title: undefined, graph: 'made', scores: undefined, network: undefined, base: {}, axes, sample: undefined,
      policies: shippedPolicies,
    },
  };
}

// Two seeds of one policy with shares a and b: their mean, and half of the t interval 12.7062 |a - b| / 2.
test('mean curves have the interval of their seeds, and the same seconds are compared', () => {
  const study = madeStudy(['opic'], [1], 2, (_p, _q, seed) => ({ area: seed === 0 ? 0.5 : 0.51, half: 1, pairs: 1 }));
  const [fast, slow] = study.outcomes;
  const slower = { ...slow, curve: { ...slow.curve!, seconds: [20, 40] } };
  const { combinations } = analyse({ ...study, outcomes: [fast, slower] });
  const half = 12.7062 * 0.01 / 2;
  const { at, rank } = meanCurve(combinations[0], 'pages')![1];
  expect([at, rank.mean]).toEqual([2, expect.closeTo(0.505, 9)]);
  expect(rank.low).toBeCloseTo(0.505 - half, 6);
  expect(rank.high).toBeCloseTo(0.505 + half, 6);
  // After 15 s one seed has 3/4 of its 0.5, the other 3/8 of its 0.51; after 30 s the first has ended.
  expect(meanCurve(combinations[0], 'seconds')!.map(({ at, rank }) => [at, rank.mean])).toEqual([
    [15, expect.closeTo((0.375 + 0.19125) / 2, 9)], [30, expect.closeTo((0.5 + 0.3825) / 2, 9)],
  ]);
  const [head, ...rows] = studyCurvesCsv({ combinations }).trimEnd().split('\n');
  expect(head).toBe('setting,subject,by,at,rank,rankLow,rankHigh');
  expect(rows).toHaveLength(4);
});

describe('an analysis', () => {
  // Area is additive in policy and seed: the shares have a closed form. Time is a product, pairs depend on processors
  // alone.
  const result = madeStudy(['opic', 'random', 'pagerank'], [1, 4], 3, (p, q, s) =>
    ({ area: [0.5, 0.3, 0.7][p] + [0, 0.03, 0.06][s], half: 100 * [1, 2, 0.5][p] / [1, 4][q] + s, pairs: [0, 2][q] }));
  const analysis = analyse(result);

  test('seeds are repetitions: means and intervals over them', () => {
    expect(analysis.subject?.name).toBe('policy');
    expect(analysis.settings).toEqual(['processors 1', 'processors 4']);
    expect(analysis.combinations.map(({ subject, setting, outcomes }) => [subject, setting, outcomes.length])).toEqual([
      ['opic', 'processors 1', 3], ['opic', 'processors 4', 3], ['random', 'processors 1', 3],
      ['random', 'processors 4', 3], ['pagerank', 'processors 1', 3], ['pagerank', 'processors 4', 3],
    ]);
    const { mean, low, high } = analysis.combinations[0].means.pagerankArea!;
    expect([mean, low, high].map((value) => value!.toFixed(6))).toEqual([
      '0.530000', (0.53 - (4.3027 * 0.03) / Math.sqrt(3)).toFixed(6),
      (0.53 + (4.3027 * 0.03) / Math.sqrt(3)).toFixed(6),
    ]);
    expect(analysis.combinations[0].means.secondsToMost).toBeNull();
    expect(analysis.figures.map(({ name }) => name)).not.toContain('secondsToMost');
  });

  test("differences are taken seed by seed: what all seeds share does not blur them; the yardstick is nobody's best", () => {
    const [difference] = analysis.comparisons.filter(
      ({ figure, other, setting }) => figure === 'pagerankArea' && other === 'random' && setting === 'processors 1',
    );
    expect(difference).toMatchObject({ best: 'opic', seeds: 3 });
    expect(difference.difference.mean).toBeCloseTo(-0.2, 12);
    expect(difference.difference.high! - difference.difference.low!).toBeLessThan(1e-12);
    expect(analysis.comparisons.every(({ best }) => best === 'opic')).toBe(true);
  });

  test('shares of variance by their closed form, and what is left', () => {
    const share = (axis: string, figure: string): number =>
      analysis.effects.find((effect) => effect.axis === axis && effect.figure === figure)!.share;
    const variance = (values: number[]): number =>
      values.reduce((sum, value) => sum + (value - values.reduce((a, b) => a + b) / values.length) ** 2, 0) /
      values.length;
    const [policy, seed] = [variance([0.5, 0.3, 0.7]), variance([0, 0.03, 0.06])];
    expect(share('policy', 'pagerankArea')).toBeCloseTo(policy / (policy + seed), 10);
    expect(share('seed', 'pagerankArea')).toBeCloseTo(seed / (policy + seed), 10);
    expect(share('processors', 'pagerankArea')).toBeCloseTo(0, 10);
    expect(share('processors', 'pairsPerPage')).toBeCloseTo(1, 10);
    expect(analysis.effects.find(({ axis, figure }) => axis === 'policy' && figure === 'pagerankArea')).toMatchObject({
      low: { value: 'random' }, high: { value: 'pagerank' },
    });
  });

  test('the answer in words, the yardstick apart', () => {
    const [{ shown: { paragraphs, tables } }] = studyParts(analysis);
    expect(paragraphs[0]).toBe(
      'Per page, opic gathers PageRank fastest in both settings. The area is 0.530. random is second, behind by 0.200. ' +
        'Per second, opic gathers PageRank fastest in both settings. Half of the rank is gathered after 26.0 to 101 s. random is second, behind by 25.0 to 100 s.',
    );
    expect(paragraphs[1]).toContain('Not counted: pagerank, with ranks that no crawler knows beforehand; area 0.730.');
    expect(tables[0].rows.map(([setting, area]) => [setting, area])).toEqual([
      ['processors 1', 'opic 0.530 ± 0.075'], ['processors 4', 'opic 0.530 ± 0.075'],
    ]);
    expect(tables[1].rows.map(([name]) => name)).toEqual(['pagerank', 'opic', 'random']);
    const text = JSON.stringify(studyReport(result, analysis, 'orbweaver study s.yaml'));
    expect(/NaN|undefined|Infinity|\[object/.exec(text)?.[0]).toBeUndefined();
  });

  test('where not all come to half of the rank, time is until half of what the worst gathered', () => {
    const limited = analyse(
      madeStudy(['opic', 'random'], [1], 2, (p) => ({ area: [0.4, 0.2][p], half: null, pairs: 0 })),
    );
    expect(limited.time).toMatchObject({ name: 'secondsToShare', title: '10 % of the rank after, s' });
    // 0.2 after 10 s and 0.1 after 10 s: straight lines from nothing.
    expect(limited.combinations.map(({ means }) => means.secondsToShare?.mean)).toEqual([5, 10]);
  });

  test('equal values are not distinguished', () => {
    const [{ shown }] = studyParts(
      analyse(
        madeStudy(['opic', 'random', 'breadth-first'], [1], 2, (p) => ({
          area: [0.4, 0.4, 0.3][p], half: 7, pairs: 0,
        })),
      ),
    );
    expect(shown.paragraphs[0]).toBe(
      'Per page, opic and random gather PageRank fastest. The area is 0.400. breadth-first is second, behind by 0.100. Per second, none is faster than another.',
    );
  });

  const noisy = (scale: number) => (p: number, q: number, s: number): Made => ({
    // opic leads random by less than the seeds differ; breadth-first is far behind both.
    area: 0.02 * q + [0.5, 0.499, 0.3][p] + scale * [[1, -1, 0.5], [-1, 1, 0.7], [0, 0.2, 0.1]][p][s] / 100,
    half: [30, 30.2, 60][p] + scale * [[1, -1, 0.5], [-1, 1, 0.7], [0, 0.2, 0.1]][p][s], pairs: [6, 1, 1][p],
  });

  test('differences within the noise of the seeds are ties: in words, front and tables', () => {
    const policies = ['opic', 'random', 'breadth-first'];
    const [tied, clear] = [1, 0.001].map((scale) => analyse(madeStudy(policies, [1, 4], 3, noisy(scale))));
    const wordsOf = (analysis: typeof tied): string => studyParts(analysis)[0].shown.paragraphs.join(' ');
    expect(wordsOf(tied)).toContain('Per page, opic and random gather PageRank fastest in both settings. The area is ');
    expect(wordsOf(tied)).toContain('Per second, opic and random gather PageRank fastest in both settings');
    expect(wordsOf(tied)).toContain('One of the runs that tie for the best area');
    expect(wordsOf(clear)).toContain('Per page, opic gathers PageRank fastest in both settings');
    expect(wordsOf(clear)).toContain('The run with the best area');
    const rowsOf = (analysis: typeof tied) => studyParts(analysis)[0].shown.tables[0].rows;
    for (const [, area, time] of rowsOf(tied)) {
      expect(area).toMatch(/^opic and random \d/);
      expect(time).toMatch(/^opic and random \d/);
    }
    for (const [, area] of rowsOf(clear)) expect(area).toMatch(/^opic \d.* ± /);
    // As good in area and time, with fewer pairs.
    const frontOf = ({ combinations }: typeof tied): string[] =>
      [...new Set(combinations.filter(({ isOnFront }) => isOnFront).map((one) => one.subject))];
    expect(frontOf(tied)).toEqual(['random']);
    expect(frontOf(clear)).toEqual(['opic', 'random']);
  });

  test('where nothing is beyond the noise, nothing is faster', () => {
    const made = madeStudy(['opic', 'random'], [1], 3, noisy(1));
    expect(studyParts(analyse(made))[0].shown.paragraphs[0]).toBe(
      'Per page, none is faster than another, beyond the noise of the seeds. ' +
        'Per second, none is faster than another, beyond the noise of the seeds.',
    );
  });

  test.each<[ExperimentInput, RegExp | undefined]>([
    [{}, undefined],
    [
      { superstepLimit: 96, pending: 384 },
      /All runs fix R_x \(superstepLimit\) at 96 and the target of pending jobs \(pending\) at 384\. By/,
    ],
    [{ pending: 5000 }, /All runs fix the target of pending jobs \(pending\) at 5,000\. By the default rules/],
  ])('a study that fixes R_x or pending jobs says so: %j', (base, words) => {
    const made = madeStudy(['opic', 'random'], [1], 2, noisy(1));
    const said = studyParts(analyse({ ...made, study: { ...made.study, base } }))[0].shown.paragraphs.join(' ');
    if (words === undefined) expect(said).not.toContain('All runs fix');
    else expect(said).toMatch(words);
  });

  test('where winners differ by setting, each is named, or the first three and how many more', () => {
    const names = ['opic', 'random', 'breadth-first', 'depth-first', 'round-robin'];
    const answerOf = (winners: readonly number[]): string => {
      const made = madeStudy(names, winners.map((_, q) => q + 1), 1, (p, q) =>
        ({ area: p === winners[q] ? 0.9 : 0.1 + p / 100, half: 7, pairs: 0 }));
      return studyParts(analyse(made))[0].shown.paragraphs[0].split(' Per second')[0];
    };
    expect(answerOf([0, 1, 2])).toBe(
      'Per page, each of 3 settings has another winner: opic with processors 1, random with processors 2 and breadth-first with processors 3.',
    );
    expect(answerOf([0, 1, 2, 3, 4])).toBe(
      'Per page, each of 5 settings has another winner: opic with processors 1, random with processors 2, breadth-first with processors 3 and 2 more.',
    );
    expect(answerOf([1, 0, 1])).toBe(
      'Per page, random gathers PageRank fastest in 2 of 3 settings. The area is 0.900. round-robin is second, behind by 0.760. ' +
        'The seeds leave that open. Elsewhere: opic with processors 2.',
    );
  });

  test.each<[string, number, number[], string | undefined]>([
    ['ahead', 3, [0.02, 0.03, 0.04], 'mine is ahead of opic, the best shipped policy, by 0.030 of area (95 % interval 0.005 to 0.055), averaged over 2 settings.'],
    ['behind', 3, [-0.02, -0.03, -0.04], 'mine is behind opic, the best shipped policy, by 0.030 of area (95 % interval 0.005 to 0.055), averaged over 2 settings.'],
    ['open', 3, [-0.02, 0.03, 0.02], 'mine is ahead of opic, the best shipped policy, by 0.010 of area (95 % interval -0.056 to 0.076), averaged over 2 settings, which the seeds leave open.'],
    ['of one seed', 1, [0.02], 'mine is ahead of opic, the best shipped policy, by 0.020 of area, averaged over 2 settings; one seed gives no interval.'],
  ])('a policy that was added is compared with the best shipped one: %s', (_name, seeds, lead, words) => {
    const added = ['mine', 'yours'].map((name) =>
      definePolicy({ name, title: name, make: () => ({ key: () => 0, score: () => 0 }) }));
    const made = madeStudy(['opic', 'random', 'mine', 'yours', 'pagerank'], [1, 4], seeds, (p, q, s) => ({
      area: [0.5, 0.3, 0.5 + lead[s], 0.1, 0.9][p] + q / 10 + s / 10, half: 1 + p, pairs: 0,
    }));
    const answer = (study: StudyResult): string => studyParts(analyse(study))[0].shown.paragraphs[0];
    const said = answer({ ...made, study: { ...made.study, policies: shippedPolicies.with(added) } });
    expect(said).toContain(words);
    expect(said).toContain('yours is behind opic, the best shipped policy, by 0.400 of area');
    expect(answer(made)).not.toContain('the best shipped policy');
  });

  test('nothing but seeds, and nothing at all to vary', () => {
    const alone = analyse(madeStudy(['opic'], [1], 2, () => ({ area: 0.4, half: 1, pairs: 0 })));
    expect([alone.subject, alone.combinations.length, alone.comparisons.length]).toEqual([undefined, 1, 0]);
    expect(studyParts(alone).map(({ name }) => name)).toEqual(['answer', 'by-pages', 'by-seconds']);
    expect(studyParts(alone)[0].shown.tables[0].rows).toEqual([
      [2, '1.000 ± 0.000', '1.0 ± 0.0', '0.400 ± 0.000', '50.0 ± 0.0', '0.00 ± 0.00', '0.600 ± 0.000'],
    ]);
  });
});

test('the front is what the dullest comparison of all with all leaves', () => {
  const value = fc.integer({ min: 0, max: 4 });
  fc.assert(fc.property(fc.array(fc.tuple(value, value, value), { minLength: 2, maxLength: 12 }), (points) => {
    const names = points.map((_point, i) => `policy-${i}`);
    const { combinations } = analyse(
      madeStudy(names, [1], 1, (p) => ({ area: points[p][0], half: points[p][1], pairs: points[p][2] })),
    );
    combinations.forEach(({ isOnFront }, i) => {
      const [area, half, pairs] = points[i];
      const beaten = points.some(
        ([a, h, q]) => a >= area && h <= half && q <= pairs && (a > area || h < half || q < pairs),
      );
      expect(isOnFront).toBe(!beaten);
    });
  }), { numRuns: tries(60) });
});

test('a front of noisy runs is never empty, and nothing beats one of it that no noise explains', () => {
  const value = fc.integer({ min: 0, max: 3 });
  const run = fc.tuple(value, value, value);
  const seeds = fc.array(run, { minLength: 3, maxLength: 3 });
  fc.assert(fc.property(fc.array(seeds, { minLength: 2, maxLength: 8 }), (runs) => {
    const names = runs.map((_run, i) => `policy-${i}`);
    const { combinations } = analyse(
      madeStudy(names, [1], 3, (p, _q, s) => ({ area: runs[p][s][0], half: runs[p][s][1], pairs: runs[p][s][2] })),
    );
    const front = combinations.flatMap(({ isOnFront }, i) => (isOnFront ? [i] : []));
    expect(front.length).toBeGreaterThan(0);
    /** Lower is better; with one difference for all seeds, there is no noise. */
    const costs = (p: number): number[][] => runs[p].map(([area, half, pairs]) => [-area, half, pairs]);
    for (const own of front) {
      const isBeaten = names.some((_name, other) => [0, 1, 2].every((by) =>
        [0, 1, 2].every((s) => costs(own)[s][by] - costs(other)[s][by] === 1)));
      expect(isBeaten).toBe(false);
    }
  }), { numRuns: tries(200) });
});

test('shares of variance of one axis and the rest sum to one in any full grid without interaction', () => {
  const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 4 });
  fc.assert(fc.property(values, values, values, (p, q, s) => {
    const { effects } = analyse(
      madeStudy(
        p.map((_value, i) => `policy-${i}`),
        q.map((_value, i) => i + 1),
        s.length,
        (a, b, c) => ({ area: p[a] + q[b] + s[c], half: 1, pairs: 0 }),
      ),
    );
    const shares = effects.filter(({ figure }) => figure === 'pagerankArea').map(({ share }) => share);
    const sum = shares.reduce((total, share) => total + share, 0);
    if (new Set(p).size + new Set(q).size + new Set(s).size > 3) expect(sum).toBeCloseTo(1, 8);
    else expect(sum).toBe(0);
  }), { numRuns: tries(60) });
});

test('CSV and Parquet hold every run: axes, seed, hash and all figures, reported alike', async () => {
  const result = madeStudy(['opic', 'a "quoted", name'], [1, 4], 2, (p, q, s) => ({
    area: p / 7 + q, half: s === 0 ? null : 1.5, pairs: 3,
  }));
  const columns = resultColumns(result);
  const names = columns.map(({ name }) => name);
  expect(names.slice(0, 5)).toEqual(['policy', 'processors', 'seed', 'replayHash', 'key']);
  expect(names).toEqual(
    expect.arrayContaining([
      'virtualSeconds', 'quality.pagerankArea', 'secondsToRank.50', 'communication.pairsPerPage',
      'robots.busy', 'lowerBoundHost',
    ]),
  );
  const lines = resultsCsv(columns).split('\n');
  expect(lines).toHaveLength(10);
  expect(lines[5]).toMatch(/^"a ""quoted"", name",1,1,hash 1 0 0,key 1 0 0,/);
  const bytes = await resultsParquet(columns);
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  });
  expect(rows).toHaveLength(8);
  rows.forEach((row, i) => {
    for (const { name, values } of columns) expect(row[name] ?? null).toEqual(values[i]);
  });
  expect(JSON.parse(JSON.stringify(studyDocument(result, analyse(result))))).toMatchObject({
    planned: 8, compared: 'policy', axes: { processors: [1, 4] },
  });
});

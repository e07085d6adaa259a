import { afterEach, describe, expect, test, vi } from 'vitest';
import { bar, clock, counted, decimal, paragraph, percent } from '../../src/cli/text/figures.ts';
import { interval } from '../../src/core/measure/interval.ts';
import type { Plan } from '../../src/questions/plan/index.ts';
import { nearest } from '../../src/base/text/nearest.ts';
import { printable, printableJson } from '../../src/cli/text/printable.ts';
import { ProgressLine } from '../../src/cli/text/progress.ts';
import { headedTable } from '../../src/cli/text/text-table.ts';
import { limitsInWords } from '../../src/cli/text/findings/plan-limits.ts';
import { runnerUpInWords } from '../../src/cli/text/findings/plan-words.ts';
import { plotText } from '../../src/cli/text/tune-plot.ts';

// Goal: what people read is right to the character, for the values at the edges too.

test('figures', () => {
  expect([clock(0), clock(59.994), clock(60), clock(3599.6), clock(36_061)]).toEqual([
    '0.00 s', '59.99 s', '0:01:00', '1:00:00', '10:01:01',
  ]);
  expect([counted(1, 'page'), counted(20_746, 'page'), counted(2, 'pass', 'passes')]).toEqual([
    '1 page', '20,746 pages', '2 passes',
  ]);
  expect([decimal(1234.5678, 2), percent(0.12345)]).toEqual(['1,234.57', '12.3 %']);
  expect([bar(-1, 4), bar(0.5, 4), bar(2, 4)]).toEqual(['····', '██··', '████']);
});

test('a paragraph breaks at blanks before column 100, and keeps words that are longer', () => {
  const lines = paragraph(`${'word '.repeat(60)}${'x'.repeat(120)} end`, '- ').split('\n');
  expect(lines[0].startsWith('- word word')).toBe(true);
  expect(lines.slice(1).every((line) => line.startsWith('  '))).toBe(true);
  expect(lines.filter((line) => line.length > 100)).toEqual([`  ${'x'.repeat(120)}`]);
});

test.each([
  ['pendingJobs', { pending: 400 }, 'With more pending jobs, no set-up that was tried was cheaper.'],
  ['superstepLimit', { superstepLimit: 96 }, 'With a larger R_x, no set-up that was tried was cheaper.'],
  ['robots', { robots: 8 }, 'With more robots, no set-up that was tried was cheaper.'],
  ['robots', { robots: 16 }, undefined], ['pendingJobs', { pending: undefined }, undefined],
  ['politeness', { pending: 400 }, undefined],
])('a plan whose set-up is limited by %s, %o, of its own choice', (kind, setUp, reason) => {
  const plan = {
    best: { setUp: { robots: 16, ...setUp }, limits: 'This limits it.', runs: [7] }, objective: { kind: 'cost' },
    runs: [{ id: 7, limitKinds: [kind] }], whatIf: [],
    ladders: { robots: [8, 16], superstepLimit: [undefined, 96, 192], pending: [undefined, 400, 800] },
  };
  expect(limitsInWords(plan as unknown as Plan)).toBe(`This limits it.${reason === undefined ? '' : ` ${reason}`}`);
});

test.each([
  ['robots', { twiceTheRobots: 110, halfTheDelay: 99 },
    'Nothing that was run stands out: half the delay of hosts or twice the robots per machine brings less than ' +
      '5.0 %.'],
  ['robots', { twiceTheRobots: 110, halfTheDelay: 80 },
    'Of what may limit this crawl and was run, half the delay of hosts brings 25.0 % more speed, the most.'],
  ['robots', { twiceTheRobots: 80, halfTheDelay: 90 }, 'This limits it.'],
  ['frontier', { twiceTheRobots: 80 },
    'This limits it. Of what was run, twice the robots per machine brings 25.0 % more speed.'],
  ['frontier', { twiceTheRobots: 99 }, 'This limits it.'], ['politeness', {}, 'This limits it.'],
])('a plan whose counts name %s says so unless its runs with %o contradict them', (kind, seconds, words) => {
  const plan = {
    best: { setUp: { robots: 16 }, limits: 'This limits it.', runs: [7] }, objective: { kind: 'cost' },
    runs: [{ id: 7, limitKinds: [kind], isReached: true, seconds: 100 }], ladders: { robots: [8, 16] },
    whatIf: Object.entries(seconds).map(([name, after]) => ({ name, isReached: true, seconds: after })),
  };
  expect(limitsInWords(plan as unknown as Plan)).toBe(words);
});

test.each([
  [[0.6, 0.7, 0.8, 0.85], 36_000, ' Until 7:30:00 it is ahead, and better for a crawl that may end earlier.'],
  [[0.6, 0.4, 0.5, 0.8], 36_000, ''], [[0.6, 0.7, 0.8, 0.85], 30_000, ''],
])('the runner-up of a plan for the most rank, with %o, ended after %f s', (curve, seconds, lead) => {
  const setUp = { policy: 'opic', processors: 1, robots: 2 };
  const plan = {
    best: { setUp, runs: [1] }, runnerUp: { setUp: { ...setUp, policy: 'random' }, runs: [2] },
    difference: { mean: -0.05, low: -0.06, high: -0.04 }, objective: { kind: 'rank' }, request: { prices: {} },
    runs: [{ id: 1, curve: [0.5, 0.6, 0.7, 0.9], seconds: 36_000 }, { id: 2, curve, seconds }],
  };
  expect(runnerUpInWords(plan as unknown as Plan)).toBe(
    `The runner-up: 1 machine with 2 robots, policy random. Seed by seed it gathers 5.0 % less of the rank (4.0 % to 6.0 %).${lead}`,
  );
});

describe('progress', () => {
  afterEach(() => void vi.useRealTimers());

  /** What is written in so many seconds of work that shows its progress twice a second. */
  function written(isTTY: boolean, seconds: number): string[] {
    vi.useFakeTimers({ toFake: ['performance'] });
    const texts: string[] = [];
    const line = new ProgressLine({ isTTY, columns: 20, write: (text: string) => texts.push(text) > 0 });
    for (let half = 1; half <= 2 * seconds; half++) {
      vi.advanceTimersByTime(500);
      line.show(() => `${half / 2} s of the long work`);
    }
    line.clear();
    return texts;
  }

  test('on a terminal is one line, cut to its width and overwritten', () => {
    expect(written(true, 1)).toEqual(['\r\u001b[K0.5 s of the long w', '\r\u001b[K1 s of the long wor', '\r\u001b[K']);
  });

  test('elsewhere is a line per minute, and none within the first', () => {
    expect(written(false, 59)).toEqual([]);
    expect(written(false, 150)).toEqual(['60 s of the long work\n', '120 s of the long work\n']);
  });
});

test('columns are aligned', () => {
  expect(headedTable(['name', 'n'], [['a', '1,000'], ['long', '2']], ['left', 'right'], '')).toBe(
    ['name      n', '───────────', 'a     1,000', 'long      2'].join('\n'),
  );
});

describe('a table ends before column 100', () => {
  const words = 'as many words as a change of settings needs, which are wrapped';

  test('words of any column are wrapped', () => {
    const rows = [[words, 'yes', words], ['b', 'no', 'c']];
    const table = headedTable(['change', 'met', 'why'], rows, ['left', 'right', 'left']);
    expect(table.split('\n').every((line) => line.length <= 100)).toBe(true);
    expect(table.replace(/\s+/g, ' ')).toContain('b no c');
    for (const word of words.split(' ')) expect(table.split(word).length, word).toBeGreaterThan(2);
  });

  test('too many columns make several tables, each with the first column', () => {
    const headings = ['policy', ...Array.from({ length: 12 }, (_, i) => `figure number ${i}`)];
    const rows = ['opic', 'random'].map((name) => [name, ...headings.slice(1).map((_, i) => String(i))]);
    const table = headedTable(headings, rows, headings.map((_, i) => (i === 0 ? 'left' : 'right')));
    expect(table.split('\n').every((line) => line.length <= 100)).toBe(true);
    expect(table.match(/^ {2}opic .*$/gm)!.flatMap((line) => line.trim().split(/ +/).slice(1)))
      .toEqual(rows[0].slice(1));
  });
});

describe('nearest name', () => {
  const names = ['breadth-first', 'opic', 'pagerank', 'random'];
  test.each([
    ['pagrank', 'pagerank'], ['OPIC', 'opic'], ['opci', 'opic'], ['breadthfirst', 'breadth-first'],
    ['fibonacci', undefined], ['x'.repeat(1e6), undefined],
  ])('%.20s is %s', (wanted, expected) => expect(nearest(wanted, names)).toBe(expected));
});

test('intervals agree with tables of Student\'s t', () => {
  expect(interval([3])).toEqual({ mean: 3, low: null, high: null });
  // 1 ... 10: mean 5.5, deviation 3.02765, t(0.975, 9) = 2.2622.
  const { mean, high } = interval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(mean).toBe(5.5);
  expect((high ?? NaN) - mean).toBeCloseTo((2.2622 * 3.02765) / Math.sqrt(10), 4);
  // Beyond the table: t(0.975, 40) = 2.0211, t(0.975, 120) = 1.9799.
  for (const [degrees, quantile] of [[40, 2.0211], [120, 1.9799]]) {
    const values = Array.from({ length: degrees + 1 }, (_, i) => i);
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - degrees / 2) ** 2, 0) / degrees);
    const half = (interval(values).high ?? NaN) - degrees / 2;
    expect((half * Math.sqrt(degrees + 1)) / deviation).toBeCloseTo(quantile, 3);
  }
});

test('text of unknown origin is fit for a terminal, in JSON too', () => {
  expect(printable('a\u001b[2Jb\u0085c\u202ed\ne é')).toBe('a\\x1b[2Jb\\x85c\\u202ed\\x0ae é');
  const hostile = { host: '\u009b31m\u007f\u202e' };
  expect(printableJson(hostile)).not.toMatch(/[\u007f-\u009f\u202e]/);
  expect(JSON.parse(printableJson(hostile))).toEqual(hostile);
});

test('the plot of a sweep has every error in its place', () => {
  const row = (r: number, stale: number, prefix: number, state: number) => ({
    r, stale, prefix, state, area: 0, supersteps: 1, pairs: 0, balance: 1,
  });
  const text = plotText(
    {
      graph: 'g', processors: 2, epsilon: 0.5, superstepLimit: 4,
      sweep: [row(1, 0, 0, 1), row(4, 0.5, 0.25, 0.75), row(16, 1, 1, 0)],
    },
    9,
    5,
  );
  expect(text.split('\n').slice(0, 7)).toEqual([
    '   1.000 │t   ·   *',
    '         │    t',
    '         │····s····',
    '         │    p',
    '   0.000 │*   ·   t',
    '         └─────────',
    '          1   4  16',
  ]);
});

import { describe, expect, test } from 'vitest';
import { placeIn, missing, newRun, type Kind, type Start } from '../../src/views/dashboard/form/made.ts';
import { boardCsv, bounded, estimateText, standingText } from '../../src/views/dashboard/views/job/board-text.ts';
import { fileOf, type Drawing, type Mark } from '../../src/views/dashboard/views/job/marks.ts';
import { maxRows, raceDrawing } from '../../src/views/dashboard/views/job/race.ts';
import { trialsDrawing } from '../../src/views/dashboard/views/job/trials.ts';
import type { Candidate, JobBoard, Measure } from '../../src/views/watch/contract.ts';

// Goal: the picture of a race shows each candidate where its figures are, within its frame, with nothing made up.

const share: Measure = { name: 'share of the goal', form: 'share', better: 'more', limit: null };
const cost: Measure = { name: 'cost', form: 'number', better: 'less', limit: null };
const candidate = (name: string, about: Partial<Candidate> = {}): Candidate => ({
  name, at: null, standing: 'in', runs: 1, estimates: [{ mean: 0.5, low: null, high: null }, null], ...about,
});
const board = (candidates: readonly Candidate[]): JobBoard =>
  ({ noun: 'set-up', measures: [share, cost], candidates, unlisted: 0, answer: null });

const xs = (mark: Mark): number[] => mark.is === 'line' ? mark.points.map(([x]) => x) : [mark.x];
const dots = ({ marks }: Drawing) => marks.filter((mark) => mark.is === 'dot');

describe('the race as a picture', () => {
  const raced = board([
    candidate('opic', {
      standing: 'best', runs: 4,
      estimates: [{ mean: 1, low: 0.9, high: 1.1 }, { mean: 2, low: 1.5, high: 2.5 }],
    }),
    candidate('random'),
    candidate('<b>lifo</b>', { standing: 'out', estimates: [{ mean: 0.1, low: null, high: null }, null] }),
    candidate('not yet', { runs: 0, estimates: [null, null] }),
  ]);

  test.each([400, 760, 1136])('of %d pixels has a dot for each estimate, ordered by value, inside it', (width) => {
    const drawing = raceDrawing(raced, width);
    expect(dots(drawing).map(({ look }) => look)).toEqual(['best', 'best', 'in', 'out']);
    const [opic, , random, lifo] = dots(drawing);
    expect(lifo.x).toBeLessThan(random.x);
    expect(random.x).toBeLessThan(opic.x);
    for (const mark of drawing.marks) {
      for (const x of xs(mark)) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(width);
      }
    }
    // A line over the interval of the one that has one, cut at the whole.
    const lines = drawing.marks.filter((mark) => mark.is === 'line' && mark.look === 'best');
    expect(lines).toHaveLength(2);
    expect(xs(lines[0])[1]).toBe(opic.x);
    const names = drawing.marks.filter((mark) => mark.is === 'text' && ['bold', 'name', 'gone'].includes(mark.look));
    expect(names.map(({ look }) => look)).toEqual(['bold', 'name', 'gone', 'name']);
  });

  test('nothing known, or all alike, is drawn too', () => {
    const empty = raceDrawing(board([candidate('a', { estimates: [null, null] })]), 760);
    const alike = raceDrawing(board([candidate('a'), candidate('b'), candidate('c', {
      estimates: [{ mean: 0, low: null, high: null }, { mean: 0, low: 0, high: 0 }],
    })]), 760);
    expect(JSON.stringify([empty, alike])).not.toMatch(/null|NaN/);
  });

  test('of many candidates draws the first, and the file holds their names as text', () => {
    const many = raceDrawing(board(Array.from({ length: 90 }, (_, i) => candidate(`c${i}`))), 760);
    expect(dots(many)).toHaveLength(maxRows);
    const svg = fileOf(raceDrawing(raced, 760), 'The <race>', 'a & b');
    expect(svg).toContain('&#60;b&#62;lifo&#60;/b&#62;');
    expect(svg).not.toMatch(/<b>|<race>/);
  });

  test('is saved as numbers', () => {
    expect(boardCsv(raced).split('\n').slice(0, 3)).toEqual([
      'set-up,at,standing,runs,share of the goal,"share of the goal, low","share of the goal, high",cost,"cost, low",' +
        '"cost, high"',
      'opic,,best,4,1,0.9,1.1,2,1.5,2.5', 'random,,in,1,0.5,,,,,',
    ]);
  });
});

test('the trials of a tune are drawn by the logarithm of R_x, with what is allowed', () => {
  const trial = (r: number, mean: number, standing: Candidate['standing']): Candidate =>
    ({ name: `R_x ${r}`, at: r, standing, runs: 1, estimates: [{ mean, low: null, high: null }] });
  const drawing = trialsDrawing({
    ...board([trial(16, 0.09, 'out'), trial(1, 0, 'in'), trial(4, 0.04, 'best'), candidate('the rule')]),
    measures: [{ name: 'error', form: 'number', better: 'less', limit: 0.05 }],
  }, 760);
  const [one, four, sixteen] = dots(drawing);
  expect(four.x - one.x).toBeCloseTo(sixteen.x - four.x, 0);
  expect(dots(drawing)).toHaveLength(3);
  const limit = drawing.marks.find(({ look }) => look === 'limit');
  expect(limit?.is === 'line' && limit.points[0][1]).toBeLessThan(four.y);
  expect(limit?.is === 'line' && limit.points[0][1]).toBeGreaterThan(sixteen.y);
  expect(JSON.stringify(trialsDrawing({ ...board([]), measures: [share] }, 760))).not.toMatch(/null|NaN/);
});

test('estimates and standings as words', () => {
  expect(estimateText(share, { mean: 0.5, low: 0.4, high: 1.6 })).toBe('50.0\u202f% (40.0\u202f% to 100.0\u202f%)');
  expect(estimateText(cost, { mean: 0.0123456, low: null, high: null })).toBe('0.01235');
  expect(estimateText(cost, null)).toBe('');
  expect(bounded(cost, { mean: 1, low: -1, high: 3 })).toEqual({ mean: 1, low: 0, high: 3 });
  expect(standingText('set-up', 'in', false)).toBe('still in');
  expect(standingText('trial', 'out', true)).toBe('too much');
  expect(standingText('cell', 'in', false)).toBe('');
});

test('a form becomes what the server takes, once it says where to start', () => {
  const begin: Start = {
    kind: 'plan', graph: ' star ', seeds: [''], goals: ['80% of rank ', ''], yaml: '', out: '', networkOf: '',
  };
  expect(newRun(begin, { machines: 2 })).toEqual({
    kind: 'plan', graph: 'star', goal: ['80% of rank'], settings: { machines: 2 },
  });
  expect(newRun({ ...begin, kind: 'study', graph: '', yaml: 'graph: star', out: 'mine' }, {}))
    .toEqual({ kind: 'study', yaml: 'graph: star', out: 'mine' });
  for (const kind of Object.keys(missing) as Kind[])
    expect(newRun({ ...begin, kind, graph: '' }, {}), kind).toBeNull();
  expect(placeIn('line:3:7: is no list')).toEqual({ line: 3, rest: 'Line 3, column 7: is no list' });
  expect(placeIn('no graph nowhere')).toBeNull();
});

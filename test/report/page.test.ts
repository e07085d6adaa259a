import { describe, expect, test } from 'vitest';
import { reportData } from '../../src/views/report/index.ts';
import { counted, duration, number, percent, short, timeUnit } from '../../src/views/report/page/format.ts';
import { placeLabels, type Line } from '../../src/views/report/page/labels.ts';
import * as sentences from '../../src/views/report/page/sentences.ts';
import { madeRun } from './made-run.ts';

/** As a reader sees it, narrow spaces made plain. */
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ');

describe('numbers', () => {
  test.each([
    [number(1234567), '1,234,567'], [number(-0.25, 2), '−0.25'], [number(0.0001, 2), '0.00010'],
    [number(Infinity), 'none'], [short(20_000), '20,000'], [short(2_500_000), '2.5 M'], [short(0.25), '0.25'],
    [percent(0.077), '7.7 %'], [percent(0), '0.0 %'], [percent(0.00035), '0.035 %'], [percent(1), '100.0 %'],
    [duration(0), '0.00 s'], [duration(0.25), '0.25 s'], [duration(59.7), '59.70 s'],
    [duration(500), '0:08:20'], [duration(3605), '1:00:05'], [duration(90_000), '25:00:00'],
    [counted(1, 'page'), '1 page'],
    [counted(0, 'page'), '0 pages'], [timeUnit(3600).name, 'minutes'], [timeUnit(100).name, 'seconds'],
    [timeUnit(1e5).name, 'hours'], [timeUnit(1e6).name, 'days'],
  ])('%s', (text, expected) => expect(plain(text)).toBe(expected));
});

describe('sentences', () => {
  const said = (sentence: sentences.Sentence, labels: readonly string[]) => plain(sentence.map((part) =>
    typeof part === 'string' ? part : 'outside' in part ? part.outside : labels[part.run]).join(''));
  const one = reportData([{ label: 'a', result: madeRun() }], { title: 'a' });
  const two = reportData([{ label: 'a', result: madeRun() }, { label: 'b', result: madeRun() }], { title: 'a' });

  test('say of a crawl with a page limit what its share is a share of', () => {
    const limited = {
      ...one, runs: one.runs.map((run) => ({ ...run, summary: { ...run.summary, reachablePages: 9000 } })),
    };
    expect(said(sentences.rankByPages(limited), ['a'])).toMatch(
      /^After a tenth of its pages the crawl has 25.1 % of the PageRank within reach; .* Its PageRank area, among the best 500 pages, 0.625, lies/,
    );
  });

  test('say what the figures of one run mean', () => {
    expect(said(sentences.rankByPages(one), ['a'])).toBe(
      'After a tenth of its pages the crawl has 25.1 % of the PageRank ' +
        'within reach; the sorted order would have 44.7 %, a uniform order 10.0 %. Its area, 0.625, lies 52.0 % of the way from a uniform order (0.500) ' +
        'to the sorted order (0.741).',
    );
    expect(said(sentences.rankBySeconds(one), ['a'])).toBe(
      'Half of the pages took 15.39 s, nine tenths 41.80 s and all 50.00 s; the last tenth took ' +
        '16.4 % of the time. For 40.0 % of the time at most 4 hosts had pages left, which needed at least 15.00 s. No crawl of these pages can end before 40.00 s: www.example.org alone takes that long, one page after another with a ' +
        'delay between them.',
    );
    expect(said(sentences.robots(one), ['a'])).toBe(
      'Robots spent 25.0 % of their time downloading. For 50.0 % of it they waited at the barrier ' +
        'for other processors.',
    );
  });

  test('call a crawl live where its record has settings of one, and its time no virtual one', () => {
    const experiment = { processors: 4, robots: 2, policy: 'opic', live: { contact: 'a@b.example' } };
    const live = reportData([{ label: 'a', result: madeRun({ experiment }) }], { title: 'a' });
    const both = reportData(
      [
        { label: 'a', result: madeRun() }, { label: 'b', result: madeRun({ experiment }) },
      ],
      { title: 'a' },
    );
    expect([one, two, live, both].map((data) => said(sentences.crawls(data), ['a', 'b']).split(' of ')[0]))
      .toEqual(['One simulated crawl', '2 simulated crawls', 'One live crawl', '1 simulated crawl and 1 live']);
    expect([one, live, both].map(sentences.timeName)).toEqual(['virtual time', 'time', 'time']);
  });

  test('mention queues in files only if there were any', () => {
    const [run] = one.runs;
    const inFiles = { ...one, runs: [{ ...run, summary: { ...run.summary, queueIo: { reads: 900, writes: 3 } } }] };
    expect(said(sentences.queue(inFiles), ['a'])).toMatch(/ They were stored in files: 900 reads, 3 writes\.$/);
    expect(said(sentences.queue(one), ['a'])).not.toContain('files');
  });

  test('say of a ratio of nothing that there is none', () => {
    const nothing = {
      staleRatio: null,
      balance: { pages: null, pagesWholeRun: null },
      communication: {
        crossLinksPerPage: null, pairsPerPage: null, messages: 0, messagesPerPage: null, bytesPerPage: null,
      },
    };
    const without = (run: (typeof one.runs)[number]) =>
      ({ ...run, summary: { ...run.summary, ...nothing, quality: { ...run.summary.quality, normalisedGain: null } } });
    const alone = { ...one, runs: one.runs.map(without) };
    const all = [sentences.rankByPages, sentences.balance, sentences.communication, sentences.queue];
    for (const sentence of all) expect(said(sentence(alone), ['a'])).not.toMatch(/null|NaN|Infinity/);
    expect(said(sentences.rankByPages(alone), ['a'])).toMatch(/All orders of these pages are equally good\.$/);
    expect(said(sentences.balance({ ...two, runs: two.runs.map(without) }), ['a', 'b'])).toMatch(
      /Over the run: none in every run\.$/,
    );
    const mixed = { ...two, runs: [two.runs[0], without(two.runs[1])] };
    expect(said(sentences.queue(mixed), ['a', 'b'])).toMatch(/50.0 % in every run that has one\.$/);
    expect([percent(null), number(null, 2)]).toEqual(['none', 'none']);
  });

  test('put several runs in order, and say once what is equal', () => {
    const unequal = {
      ...two, runs: [two.runs[0], { ...two.runs[1], summary: { ...two.runs[1].summary, staleRatio: 0.25 } }],
    };
    expect(said(sentences.queue(unequal), ['a', 'b']))
      .toContain('Share of the extracted entries: b 25.0 % and a 50.0 %.');
    expect(said(sentences.queue(two), ['a', 'b'])).toContain('Share of the extracted entries: 50.0 % in every run.');
  });

  test('name the oracles among the runs', () => {
    const experiment = { policy: 'pagerank', partition: 'lpt' };
    const reported = reportData([{ label: 'a', result: madeRun({ experiment }) }], { title: 'a' });
    expect(said(sentences.oracles(reported)!, ['a'])).toMatch(/policy pagerank knows .* and partition lpt knows /);
    expect(sentences.oracles(one)).toBeNull();
  });

  test('warn of synthetic hosts, by the name of the graph', () => {
    const synthetic = reportData([{ label: 'a', result: madeRun({ dataset: 'x', hostsAreSynthetic: true }) }], {
      title: 'a',
    });
    expect(said(sentences.synthetic(synthetic)!, ['a'])).toMatch(
      /^The hosts of x are synthetic: nothing here that depends on hosts/,
    );
    expect(sentences.synthetic(one)).toBeNull();
  });
});

// Goal: a name is beside its curve, and on nothing.
describe('names of curves', () => {
  const frame = { left: 50, right: 750, top: 20, bottom: 400 };
  const line = (name: string, y: (x: number) => number): Line =>
    ({ name, points: Array.from({ length: 71 }, (_, i) => ({ x: 50 + 10 * i, y: y(50 + 10 * i) })) });

  test('stand clear of all curves, of each other and within the frame', () => {
    const lines = [line('a', () => 100), line('b', () => 200), line('c', (x) => 300 + 40 * Math.sin(x / 50))];
    const placed = placeLabels(lines, ['a', 'b', 'c'], frame, () => 60);
    expect(placed.map((label) => label.name)).toEqual(['a', 'b', 'c']);
    for (const label of placed) {
      const left = label.anchor === 'start' ? label.x : label.x - 60;
      expect(left).toBeGreaterThanOrEqual(frame.left);
      expect(left + 60).toBeLessThanOrEqual(frame.right);
      for (const { points } of lines) {
        for (const { x, y } of points) expect(x > left && x < left + 60 && Math.abs(y - label.y) < 7).toBe(false);
      }
    }
  });

  test('are left out where there is no room', () => {
    const lines = [line('a', () => 200), line('b', () => 204), line('c', () => 208)];
    expect(placeLabels(lines, ['b'], frame, () => 60)).toEqual([]);
  });
});

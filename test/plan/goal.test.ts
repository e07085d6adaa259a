import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/base/index.ts';
import { costOf, parsePrices } from '../../src/questions/plan/cost.ts';
import { goalInWords, parseGoal, targetOf } from '../../src/questions/plan/goal.ts';
import { requestOf } from '../../src/questions/plan/index.ts';
import { variablesIn } from '../../src/questions/plan/ladders.ts';

describe('goals', () => {
  test.each([
    ['80% of rank', 'rank', 0.8, true], ['95 % of hosts', 'hosts', 0.95, true], ['99.5% pages', 'pages', 0.995, true],
    ['100% of the rank', 'rank', 1, true], ['1.5M pages', 'pages', 1.5e6, false], ['2000 hosts', 'hosts', 2000, false],
    ['1,500,000 pages', 'pages', 1.5e6, false], ['5k pages', 'pages', 5000, false],
  ] as const)('%s', (text, kind, amount, isShare) => {
    const goal = parseGoal(text);
    expect(goal).toEqual({ kind, amount: expect.closeTo(amount, 12) as number, isShare });
    expect(parseGoal(goalInWords(goal))).toEqual(goal);
  });

  test.each([
    ['101% of rank', /more than 100 %/], ['0% of rank', /before the crawl starts/], ['everything', /must be a share/],
    ['', /must be a share/], ['-5 pages', /must be a share/], ['1.5 pages', /whole number/],
    ['0 hosts', /whole number/], ['0.5M rank', /must be a share/], ['80% of ranks', /must be a share/],
    ['NaN pages', /must be a share/],
  ])('%j is refused with the grammar', (text, why) => {
    expect(() => parseGoal(text)).toThrow(InputError);
    expect(() => parseGoal(text)).toThrow(why);
  });

  test('on a graph they are amounts; more than there is is refused', () => {
    const reachable = { rank: 0.5, pages: 1001, hosts: 10 };
    expect(targetOf(parseGoal('50% of pages'), reachable, 'g').amount).toBe(501);
    expect(targetOf(parseGoal('80% of rank'), reachable, 'g').amount).toBeCloseTo(0.4, 9);
    expect(targetOf(parseGoal('1001 pages'), reachable, 'g').amount).toBe(1001);
    expect(() => targetOf(parseGoal('11 hosts'), reachable, 'g')).toThrow('g has 10 hosts within reach');
  });
});

describe('prices', () => {
  test('are per machine-hour and gigabyte; hours are not rounded', () => {
    const prices = parsePrices('machine=0.40/h,traffic=0.05/GB');
    expect(costOf(prices, 3, 1800, 2e9)).toBeCloseTo(3 * 0.5 * 0.4 + 2 * 0.05, 12);
    expect(parsePrices('traffic=1')).toMatchObject({ machineHour: 0, gigabyte: 1 });
  });

  test.each([
    ['machine=-1/h', /negative/], ['disk=1/GB', /disk has no price here/], ['machine=1/GB', /per h, not per GB/],
    ['machine=1/h,machine=2/h', /twice/], ['machine=0/h', /cost nothing/], ['', /must be machine=PRICE/],
    ['machine=1e400/h', /must be machine=PRICE/],
  ])('%j is refused', (text, why) => {
    expect(() => parsePrices(text)).toThrow(InputError);
    expect(() => parsePrices(text)).toThrow(why);
  });
});

describe('requests', () => {
  test('values have units', () => {
    const { withinSeconds, base, machines, robots } = requestOf(
      { within: '1h30m', bandwidth: '100Mbit', delay: '250ms', machines: '4', robots: '1k' },
      { network: { preset: 'web' } },
    );
    expect({ withinSeconds, base, machines, robots }).toEqual({
      withinSeconds: 5400, machines: 4, robots: 1000,
      base: { politenessMs: 250, network: { preset: 'web', processorBandwidthBytesPerSecond: 12.5e6 } },
    });
  });

  test.each([
    [{}, /name a goal/], [{ within: '-1h' }, /within: "-1h" is negative/], [{ within: '0s' }, /from 1 s/],
    [{ within: '1h', machines: 0 }, /machines 0: must be from 1/], [{ within: '1h', robots: '1.5' }, /robots: /],
    [{ within: '1h', bandwidth: 'fast' }, /bandwidth: /], [{ within: '1h', vary: 'robot' }, /did you mean robots/],
    [{ within: '1h', vary: { robots: [] } }, /at least one value/],
  ])('%j is refused', (written, why) => {
    expect(() => requestOf(written)).toThrow(InputError);
    expect(() => requestOf(written)).toThrow(why);
  });

  test('settings that vary are named as flags or as keys', () => {
    expect(variablesIn('policy, superstep-limit,pending')).toEqual(['policy', 'superstepLimit', 'pending']);
  });
});

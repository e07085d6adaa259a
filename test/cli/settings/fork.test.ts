import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunJson } from '../../../src/core/measure/index.ts';
import type { SettledExperiment } from '../../../src/core/settings/index.ts';
import { newFolder, orbweaver, printedBy } from '../command.ts';
import { writeSmallWeb } from '../input/small-web.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: any superstep of a recorded simulation is a place to try something else from, by the record alone.

const folder = newFolder();
afterAll(() => { rmSync(folder, { recursive: true }); });

const runOf = async (...args: string[]): Promise<RunJson<SettledExperiment>> =>
  JSON.parse(
    await printedBy(['simulate', ...args, '--statistics', 'off', '--json'], folder),
  ) as RunJson<SettledExperiment>;

let first: RunJson;
beforeAll(async () => {
  writeSmallWeb(join(folder, 'web'));
  first = await runOf('web', '--policy', 'breadth-first', '--superstep-ms', '1000', '--pending', '2', '--out', 'first');
});

test('with nothing changed it is the run, and so is its fork', async () => {
  const fork = await runOf('web', '--from', 'first', '--at', '3', '--out', 'same');
  expect(fork.replayHash).toBe(first.replayHash);
  // Queues are built anew: what they compare may differ.
  const { quality, robots, communication } = first.summary;
  expect(fork.summary).toMatchObject({ quality, robots, communication });
  expect(fork.forkOf).toMatchObject({
    folder: join(folder, 'first'), replayHash: first.replayHash, superstep: 3,
  });
  expect((await runOf('web', '--from', 'same', '--at', '5')).replayHash).toBe(first.replayHash);
  expect((await runOf('web', '--from', 'same', '--at', '1')).replayHash).toBe(first.replayHash);
});

test.runIf(isFullSweep)('with other settings it is repeated by its own record, and so is a fork of it', async () => {
  const fork = await runOf('web', '--from', 'first', '--at', '2', '--policy', 'opic', '--robots', '1', '--out', 'opic');
  expect(fork.replayHash).not.toBe(first.replayHash);
  expect(fork.experiment.policy).toBe('opic');
  expect(fork.changes?.every(({ superstep, setting, value }) => superstep === 2 && setting === 'robots' && value === 1))
    .toBe(true);
  expect((await runOf('web', '--config', 'opic/run.json')).replayHash).toBe(fork.replayHash);
  const second = await runOf('web', '--from', 'opic', '--at', '4', '--politeness-ms', '3000', '--out', 'slow');
  for (const share of Object.values(second.summary.limits.shares)) expect(share).toBeLessThanOrEqual(1);
  expect(second.forkOf?.legs.map(({ untilSuperstep }) => untilSuperstep)).toEqual([2, 4]);
  expect((await runOf('web', '--config', 'slow/run.json')).replayHash).toBe(second.replayHash);
  expect((await runOf('web', '--from', 'slow', '--at', '6')).replayHash).toBe(second.replayHash);
  // The record knows where its graph is.
  const text = await printedBy(['simulate', '--from', 'first', '--at', '2'], folder);
  expect(text).toMatch(new RegExp(`^  fork +superstep 2 +of the run ${first.replayHash.slice(0, 16)}$`, 'm'));
});

describe('refused in one line', () => {
  test.each([
    [['web', '--from', 'first'], '--at is missing: name the superstep that the fork begins with, from 0 on'],
    [['web', '--from', 'first', '--at', '-1'], '--at -1: name the superstep that the fork begins with, from 0 on'],
    [['web', '--from', 'first', '--at', 'x'], '--at x: name the superstep that the fork begins with, from 0 on'],
    [['web', '--from', 'first', '--at', '999'], /^superstep 999: the run has supersteps 0 to \d+$/],
    [['web', '--at', '1'], '--at needs --from <DIR>, the run that is forked'],
    [['web', '--from', 'none', '--at', '1'], /none.run\.json: is not there/],
    [['web', '--from', 'damaged', '--at', '1'], /damaged.run\.json: is not JSON/],
    [['web', '--from', 'live', '--at', '1'], '--from live: is a live crawl; only simulations can be forked'],
    [['star', '--from', 'first', '--at', '1'], /^star: is not the graph that the run crawled, or was changed since/],
    [['--from', 'elsewhere', '--at', '1'], /^--from: name the graph of that run \(gone\)/],
    [['web', '--from', 'first', '--at', '1', '--processors', '2'], /was taken with processors 8, not 2$/],
    [['web', '--from', 'first', '--at', '1', '--repeat', '2'], '--repeat and --from cannot be combined'],
    [['web', '--from', 'first', '--at', '1', '--verify'], '--verify and --from cannot be combined'],
    [['web', '--from', 'legs', '--at', '1'], /legs/],
    [[], 'name a graph, such as docs-web, or fork a run by --from <DIR>'],
  ] as [string[], string | RegExp][])('%j', async (args, message) => {
    const write = (name: string, text: string): void => {
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, 'run.json'), text);
    };
    write('damaged', '{');
    write('live', JSON.stringify({ ...first, experiment: { ...first.experiment as object, live: {} } }));
    write('elsewhere', JSON.stringify({ ...first, origin: undefined, dataset: { ...first.dataset, name: 'gone' } }));
    write('legs', JSON.stringify({ ...first, forkOf: { folder: '', replayHash: '', superstep: 1, legs: [] } }));
    const { code, stdout, stderr } = await orbweaver(['simulate', ...args], folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim()).not.toContain('\n');
    if (typeof message === 'string') expect(stderr.trim()).toBe(message);
    else expect(stderr.trim()).toMatch(message);
  });
});

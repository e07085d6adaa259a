import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/core/engine/index.ts';
import type { RunSink } from '../../src/core/events/index.ts';
import {
  DiskRecord, isIncomplete, readIncomplete, recordFiles, type IncompleteRun, type RunEvents,
} from '../../src/core/measure/index.ts';
import type { ExperimentInput, SettledExperiment } from '../../src/core/settings/index.ts';
import { InputError } from '../../src/base/index.ts';
import { builtScripts } from '../built-scripts.ts';
import { isFullSweep } from '../sweep.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { docsWebPrepared as docs, docsWebRanks as ranks } from '../docs-web.ts';

// Goal: the record on disk is the one in memory, and cut anywhere it is that of the same run stopped at a superstep.

const { folder } = temporaryFolder();
let folders = 0;
const origin = { graph: 'docs-web', command: 'orbweaver simulate docs-web' };
const dataFiles = ['order.u32', 'times.f64', 'failures.csv', 'supersteps.csv'];

const runs: readonly [string, ExperimentInput][] = [
  ['a run', { maxPages: 400, superstepLimit: 8 }],
  ['one with failures and time limit', {
    processors: 3, superstepLimit: 5, superstepMs: 2000, maxSeconds: 30, retries: 1,
    network: { serverErrorShare: 0.2, timeoutShare: 0.1 },
  }],
  ['one with crashes', {
    processors: 3, maxSeconds: 30, superstepLimit: 10, network: { crashSeconds: 12, restartSeconds: 1 },
    checkpointSupersteps: 2,
  }],
];

const plain = ({ order, times, failures, rows, crashes }: Omit<RunEvents, 'processors'>) =>
  ({ order: [...order], times: [...times], failures, rows, crashes });

/** The run in a folder of its own, as it is when its last event is settled. */
async function recorded(input: ExperimentInput, sinks: readonly RunSink[] = []) {
  const path = join(folder, String(folders++));
  const record = new DiskRecord(path, origin);
  try {
    return { path, record, result: await simulate(docs, input, { ranks, record, sinks }) };
  } finally {
    record.close();
  }
}

/** The events of the run, had a signal ended it at this superstep. */
async function stoppedAt(input: ExperimentInput, superstep: number): Promise<RunEvents> {
  const controller = new AbortController();
  const stop: RunSink = { superstep: (end) => { if (end.superstep === superstep) controller.abort(); } };
  return (await simulate(docs, input, { ranks, sinks: [stop], signal: controller.signal })).events;
}

describe.each(runs)('%s', (_name, input) => {
  test('has the events, the hash and the files of one in memory', async () => {
    const { path, result } = await recorded(input);
    const inMemory = await simulate(docs, input, { ranks });
    expect(plain(result.events)).toEqual(plain(inMemory.events));
    expect(result.events.processors).toEqual(inMemory.events.processors);
    expect(result.run.replayHash).toBe(inMemory.run.replayHash);
    expect(result.run.summary).toEqual(inMemory.run.summary);
    const files = recordFiles(inMemory);
    for (const name of dataFiles)
      expect(readFileSync(join(path, name)).equals(Buffer.from(files.get(name)!)), name).toBe(true);
  });

  test('cut at any byte, is the run stopped at some superstep', async () => {
    const { path } = await recorded(input);
    const stopped = new Map<number, Promise<RunEvents>>();
    const lines = readFileSync(join(path, 'journal.jsonl'), 'utf8').split('\n');
    const [first] = lines.map((line) => (line === '' ? {} : JSON.parse(line)) as Record<string, number>);
    const least = [
      4 * first['fetched'], 16 * first['fetched'], first['failuresBytes'], first['superstepsBytes'],
      lines[0].length + 1,
    ];
    const cut = fc.record({ file: fc.nat(4), share: fc.integer({ min: 0, max: 1000 }).map((x) => x / 1000) });
    const cuts = fc.uniqueArray(cut, { minLength: 1, maxLength: 2, selector: ({ file }) => file });
    await fc.assert(fc.asyncProperty(cuts, async (drawn) => {
      const copy = join(folder, 'cut');
      cpSync(path, copy, { recursive: true });
      for (const { file, share } of drawn) {
        const name = [...dataFiles, 'journal.jsonl'][file];
        const { size } = statSync(join(path, name));
        truncateSync(join(copy, name), Math.floor(least[file] + share * (size - least[file])));
      }
      const { superstep, events } = readIncomplete(copy);
      if (!stopped.has(superstep)) stopped.set(superstep, stoppedAt(input, superstep));
      expect(plain(events)).toEqual(plain((await stopped.get(superstep))!));
    }), { seed: 1, numRuns: isFullSweep ? 100 : 10, endOnFailure: true, unbiased: true });
    expect(stopped.size).toBeGreaterThan(3);
  });
});

test('a sink that throws leaves a record up to the superstep before', async () => {
  const [, input] = runs[1];
  const broken: RunSink = {
    superstep: ({ superstep }) => { if (superstep === 7) throw new Error('broken'); },
  };
  await expect(recorded(input, [broken])).rejects.toThrow('broken');
  const path = join(folder, String(folders - 1));
  const { superstep, events, experiment, command } = readIncomplete<SettledExperiment>(path);
  expect(superstep).toBe(6);
  expect(plain(events)).toEqual(plain(await stoppedAt(input, 6)));
  expect(experiment.superstepLimit).toBe(5);
  expect(command).toBe(origin.command);
});

test('is complete when what only a run under way needs is gone', async () => {
  const { path, record } = await recorded({ maxPages: 50 });
  expect(isIncomplete(path)).toBe(true);
  record.complete();
  expect(isIncomplete(path)).toBe(false);
  expect(readdirSync(path).sort()).toEqual(dataFiles.toSorted());
});

const many = isFullSweep ? 3_000_000 : 200_000;
test(`holds buffers alone on a crawl of ${many} pages, far below the 64 MB that it may`, async () => {
  const scriptOf = await builtScripts(folder, new URL('./record-growth.ts', import.meta.url));
  const script = fileURLToPath(scriptOf('record-growth'));
  const bytes = Number(execFileSync(process.execPath, ['--expose-gc', script, String(many)]));
  // None can be seen where the collector gave more back than the record took.
  expect(bytes).toBeGreaterThanOrEqual(0);
  expect(bytes).toBeLessThan(4e6);
});

describe('what is damaged is named', () => {
  const damaged = (name: string, change: (bytes: Buffer) => Buffer | string, path: string): () => IncompleteRun => {
    const copy = join(folder, `damaged-${folders++}`);
    cpSync(path, copy, { recursive: true });
    writeFileSync(join(copy, name), change(readFileSync(join(copy, name))));
    return () => readIncomplete(copy);
  };

  test('file by file', async () => {
    const { path } = await recorded(runs[1][1]);
    const text = (from: RegExp, to: string) => (bytes: Buffer): string => String(bytes).replace(from, to);
    const cases: readonly [string, (bytes: Buffer) => Buffer | string, RegExp][] = [
      ['started.json', () => '{', /started\.json: is not JSON/],
      ['started.json', () => '{}', /started\.json: is not the start of a record: version/],
      ['journal.jsonl', (bytes) => `{"superstep": -1}\n${String(bytes)}`, /journal\.jsonl:1: is not a line/],
      ['journal.jsonl', () => '', /ended before its first superstep was recorded/],
      ['order.u32', () => '', /ended before its first superstep was recorded/],
      [
        'order.u32',
        (bytes) => {
          bytes.copy(bytes, 4, 0, 4);
          return bytes;
        },
        /order\.u32: names page \d+ twice/,
      ],
      ['times.f64', (bytes) => bytes.fill(255, 32, 40), /times\.f64: page 2 of the order has times that cannot be/],
      ['failures.csv', text(/serverError/, 'serverFault'), /failures\.csv:\d+: names no kind of failure/],
      ['failures.csv', text(/position/, 'position2'), /failures\.csv: has no column position/],
      ['failures.csv', text(/\n/, ','), /failures\.csv/],
      ['supersteps.csv', text(/\n0,/, '\nx,'), /supersteps\.csv:2: is not a row of 41 values/],
      ['supersteps.csv', text(/\n0,0,(\d+),\d/, '\n0,0,$1,9'), /supersteps\.csv: its rows do not add up/],
    ];
    for (const [name, change, message] of cases) {
      const read = damaged(name, change, path);
      expect(read, name).toThrow(InputError);
      expect(read, name).toThrow(message);
    }
    expect(existsSync(path)).toBe(true);
  });
});

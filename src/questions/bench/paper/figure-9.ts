import { createQueue, pagedQueueKinds } from '../../../core/queue/index.ts';
import { assert, DrawStream } from '../../../base/index.ts';
import { total } from '../alternate.ts';
import { figure8Blocks } from './figure-8.ts';
import { type Figure9Result, type Figure9Row, type Figure9Stream, showFigure9 } from './figure-9-shown.ts';
import { peakOf, ranked, replayPaged, type Phase, type PhaseCounts } from '../paged/paged-replay.ts';
import type { Part, PartContext } from '../part.ts';
import {
  crawlSources, holdSource, RecordingQueue, type PriorityStream, type StreamSource,
} from './priority-streams.ts';

/** Main memory as a share of the queue's bytes, at its largest. */
export const figure9Shares: readonly number[] = [0.1, 0.3];

/** Pages that a QuickHeap needs in memory; a CBT needs 8 blocks. */
const leastPages = 12;

/** Streams, and the stretches of them that are counted. */
export interface Figure9Source extends StreamSource {
  phases(block: number, stream: PriorityStream): readonly Phase[];
}

/**
 * Figure 9 of the paper: I/O operations of QuickHeap and CBT in secondary memory against R, with main memory for 10 %
 * and 30 % of the queue. A page holds R keys, so that a block is one extent. Deterministic: it holds no times.
 */
export const figure9Part: Part<Figure9Result> = {
  name: 'figure-9',
  title: 'Figure 9: I/O operations of queues in secondary memory',
  async measure(context) {
    const streams: Figure9Stream[] = [];
    for (const source of sources(context)) {
      if (context.signal.aborted) break;
      await context.report(`figure 9, ${source.name}`);
      streams.push(await figure9(source));
    }
    return { streams };
  },
  show: showFigure9,
};

function sources(context: PartContext): Figure9Source[] {
  const { entries, seed } = context;
  // Small R in large queues costs most: the smallest N shows as much, in seconds.
  const size = Math.min(...entries);
  const whole = (_: number, { steps }: PriorityStream): Phase[] => [
    { name: 'the whole crawl', from: 0, to: steps.length },
  ];
  return [
    ...crawlSources(context).map((source) => ({ ...source, phases: whole })),
    uniformSource(size, seed),
    fallingSource(size, seed),
  ];
}

/** Steps up to round `round` of a hold model that begins by putting in N entries, R at a time. */
function stepOf(round: number, size: number, block: number): number {
  return Math.ceil(size / block) + 2 * Math.ceil(round);
}

/**
 * The hold model with new keys as uniform as the first ones: the greatest leave, and after a turn nearly all that
 * leaves has just come, above a bulk that never does.
 */
export function uniformSource(queueSize: number, seed: number): Figure9Source {
  const turn = (block: number): number => queueSize / block;
  return {
    name: `hold model, N = ${queueSize}, uniform keys`,
    isSynthetic: true,
    largestBlock: queueSize / 4,
    streams(block) {
      const draws = new DrawStream(seed, 'figure 9');
      const recorder = new RecordingQueue(createQueue({ kind: 'binary-heap', block, seed }));
      const batch = new Float64Array(block);
      let count = 0;
      const insert = (size: number): void => {
        for (let i = 0; i < size; i++) batch[i] = draws.uniform(count++);
        recorder.insertMany(batch, 0, size);
      };
      while (count < queueSize) insert(Math.min(block, queueSize - count));
      for (let round = 0; round < 3 * turn(block); round++) {
        recorder.extractTop(block, batch);
        insert(block);
      }
      return Promise.resolve([recorder.stream()]);
    },
    phases: (block, { steps }) => [
      { name: 'first N/2R rounds', from: stepOf(0, queueSize, block), to: stepOf(turn(block) / 2, queueSize, block) },
      { name: 'steady state, after N/R rounds', from: stepOf(turn(block), queueSize, block), to: steps.length },
    ],
  };
}

/**
 * The hold model of the timed cases: each new key is a uniform draw below the least that left, as events of a
 * simulation come.
 */
export function fallingSource(queueSize: number, seed: number): Figure9Source {
  return {
    ...holdSource(queueSize, 2 * queueSize, seed),
    name: `hold model, N = ${queueSize}, keys below those that left`,
    phases: (block, { steps }) => [
      { name: 'steady state, after N/R rounds', from: stepOf(queueSize / block, queueSize, block), to: steps.length },
    ],
  };
}

/**
 * Both structures on the streams of a source, for each R whose memory suffices them. They must return the same
 * batches.
 */
export async function figure9(
  source: Figure9Source, blocks: readonly number[] = figure8Blocks,
): Promise<Figure9Stream> {
  const rows = new Map<string, Figure9Row[]>();
  const tooSmall: { r: number; share: number }[] = [];
  for (const r of blocks) {
    if (r > source.largestBlock) break;
    const streams = (await source.streams(r)).map(ranked);
    const peaks = streams.map(peakOf);
    const memory = (share: number): number[] => peaks.map((peak) => Math.floor(8 * peak * share));
    const fitting = figure9Shares.filter((share) => Math.min(...memory(share)) >= leastPages * 8 * r);
    tooSmall.push(...figure9Shares.filter((share) => !fitting.includes(share)).map((share) => ({ r, share })));
    // A queue holds fewer blocks the larger they are.
    if (fitting.length === 0) break;
    const phases = streams.map((stream) => source.phases(r, stream));
    const checksums = new Set<string>();
    for (const share of fitting) {
      const counts = pagedQueueKinds.map((kind) => {
        const replays = streams.map((stream, at) =>
          replayPaged(stream, phases[at], { kind, block: r, memoryBytes: memory(share)[at] }),
        );
        checksums.add(String(replays.map(({ checksum }) => checksum)));
        return [kind, phases[0].map((_, phase) => summed(replays.map((replay) => replay.phases[phase])))] as const;
      });
      assert(
        checksums.size === 1,
        () => `figure 9: the queues returned other batches than each other, ${source.name}, R = ${r}`,
      );
      for (const [at, { name }] of phases[0].entries()) {
        const row = {
          r, share, peak: total(peaks), memoryBytes: total(memory(share)),
          counts: Object.fromEntries(counts.map(([kind, ofPhases]) => [kind, ofPhases[at]])) as Figure9Row['counts'],
        };
        rows.set(name, [...(rows.get(name) ?? []), row]);
      }
    }
  }
  const phases = [...rows].map(([phase, ofPhase]) => ({ phase, rows: ofPhase }));
  return { stream: source.name, isSynthetic: source.isSynthetic, phases, tooSmall };
}

function summed(parts: readonly PhaseCounts[]): PhaseCounts {
  const sum = (field: keyof PhaseCounts): number => total(parts.map((part) => part[field]));
  return {
    reads: sum('reads'), writes: sum('writes'), bytesRead: sum('bytesRead'), bytesWritten: sum('bytesWritten'),
    inserted: sum('inserted'), extracted: sum('extracted'), neverStored: sum('neverStored'),
    worstBatch: Math.max(...parts.map(({ worstBatch }) => worstBatch)),
  };
}

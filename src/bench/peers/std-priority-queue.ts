import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { HoldPlan, HoldResult } from '../hold-model.ts';
import type { Absent } from './javascript.ts';

// The path is the same from `src/` and from `dist/`: the source is compiled where it lies.
const source = fileURLToPath(new URL('../../../src/bench/peers/std-priority-queue.cpp', import.meta.url));

const compilers = ['c++', 'g++', 'clang++'] as const;
const flags = ['-O3', '-std=c++17'] as const;

/** How an entry is stored: a struct of key and id, or our packed word. */
export const stdVariants = ['f64+u32', 'u64'] as const;
export type StdVariant = (typeof stdVariants)[number];

export interface NativeHold extends HoldResult {
  readonly bytesPerEntry: number;
}

/** The C++ peer, compiled. `remove` takes its folder away. */
export interface StdPriorityQueue {
  /** Compiler and flags, for which any figure holds. */
  readonly compiler: string;
  /** Runs the hold model in a process of its own; with `count`, comparisons are counted and the times mean nothing. */
  hold(variant: StdVariant, plan: HoldPlan, count?: boolean): Promise<NativeHold>;
  remove(): Promise<void>;
}

/** Compiles the peer into a temporary folder with the first compiler that is there, or says why it is absent. */
export async function stdPriorityQueue(): Promise<StdPriorityQueue | Absent> {
  const absent = (reason: string): Absent => ({ name: 'std::priority_queue', reason });
  if (!existsSync(source)) return absent('its source is not part of the package: run from a checkout');
  const compiler = compilers.find((name) => spawnSync(name, ['--version']).status === 0);
  if (compiler === undefined) return absent(`no C++ compiler: none of ${compilers.join(', ')} runs`);
  const [version] = spawnSync(compiler, ['--version'], { encoding: 'utf8' }).stdout.split('\n');

  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-bench-'));
  const program = join(folder, 'std-priority-queue');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const run = promisify(execFile);
  try {
    await run(compiler, [...flags, '-o', program, source]);
  } catch (error) {
    await remove();
    return absent(`${compiler} cannot compile it: ${(error as Error).message.split('\n')[0]}`);
  }
  return {
    compiler: `${version}, ${flags.join(' ')}`,
    async hold(variant, { entries, block, warmBatches, batches, state, unitBits }, count = false) {
      const numbers = [entries, block, warmBatches, batches, state, unitBits].map(String);
      const { stdout } = await run(program, [variant, ...numbers, ...(count ? ['count'] : [])]);
      const uncounted = { comparisonsPerElement: null, worstBatchComparisons: null, firstBatchComparisons: null, worstBatchMoved: null };
      return { ...uncounted, ...(JSON.parse(stdout) as Partial<NativeHold>) } as NativeHold;
    },
    remove,
  };
}

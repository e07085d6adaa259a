import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { HoldPlan } from '../hold/hold-model.ts';
import { programOf } from './cpp-program.ts';
import type { Absent } from './javascript.ts';
import { heldBy, type NativeHold } from './std-priority-queue.ts';

const name = 'SimdQuickHeap';
/** AVX2, which the crate needs. */
const flags = '-C target-cpu=x86-64-v3';
const exec = promisify(execFile);

/** The crate quickheap in Rust, built. `remove` takes its folder away. */
export interface SimdQuickHeap {
  /** Compiler and flags, for which any figure holds. */
  readonly compiler: string;
  /** Runs the hold model in another process. It counts no comparisons. */
  hold(plan: HoldPlan): Promise<NativeHold>;
  remove(): Promise<void>;
}

/** Builds the peer without the network, from a crate that cargo has already, or says why it is absent. */
export async function simdQuickHeap(): Promise<SimdQuickHeap | Absent> {
  // The path is the same from `src/` and from `dist/`.
  const source = fileURLToPath(new URL('../../../../src/questions/bench/peers/simd-quickheap', import.meta.url));
  if (!existsSync(source)) return { name, reason: 'its source is not part of the package: run from a checkout' };
  const { status, stdout } = spawnSync('rustc', ['--version'], { encoding: 'utf8' });
  if (status !== 0) return { name, reason: 'no Rust compiler: rustc does not run' };
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-bench-'));
  try {
    // A copy, because cargo writes beside what it builds.
    await cp(source, folder, { recursive: true });
    await exec('cargo', ['build', '--release', '--offline'], {
      cwd: folder, env: { ...process.env, RUSTFLAGS: flags, CARGO_TARGET_DIR: join(folder, 'target') },
    });
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    const { message, stderr = message } = error as Error & { stderr?: string };
    const isMissing = /no matching package|attempting to make an HTTP request|failed to download/.test(stderr);
    return {
      name,
      reason: isMissing
        ? 'cargo does not have its crate: run cargo fetch once in src/questions/bench/peers/simd-quickheap'
        : `cargo cannot build it: ${/error[^:]*: (.*)/.exec(stderr)?.[1] ?? stderr.split('\n')[0]}`,
    };
  }
  const { run, remove } = programOf(join(folder, 'target', 'release', 'simd-quickheap'), folder);
  return {
    compiler: `${stdout.trim()}, release, ${flags}`,
    hold: (plan) => heldBy(run, plan),
    remove,
  };
}

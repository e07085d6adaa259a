import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { openLmdbStore } from '../../../src/core/live/store/lmdb-store.ts';
import { DrawStream } from '../../../src/base/index.ts';
import { isFullSweep } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { CHECKPOINT_NOTES, checkpointOf, noteOf, pagesBefore, textOf } from './noting-process.ts';

/** `ORBWEAVER_KILLS=400` for a long hunt. */
const kills = Number(process.env['ORBWEAVER_KILLS'] ?? (isFullSweep ? 12 : 4));
const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20080729);

const { folder } = temporaryFolder();
const script = join(folder, 'noting-process.mjs');
const started = new Set<ChildProcess>();
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** One file, for a process that reads all the sources takes seconds to start. */
async function bundle(): Promise<void> {
  const lmdb = createRequire(import.meta.url).resolve('lmdb').replace(/dist\/index\.cjs$/, 'node-index.js');
  await build({
    entryPoints: [fileURLToPath(new URL('./noting-process.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: { lmdb },
    external: [lmdb],
    logLevel: 'warning',
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(import.meta.url)});`,
    },
  });
}

function start(store: string): ChildProcess {
  const child = spawn(process.execPath, [script, 'note', store], { stdio: ['pipe', 'pipe', 'inherit'] });
  started.add(child);
  return child;
}

interface Reported {
  note: number;
  checkpoint: number;
}

/**
 * Lets it note until it has reported `lines` lines, and some microseconds more; then kills it. `reported` receives the
 * numbers that it reported last.
 */
async function killAfter(child: ChildProcess, lines: number, spins: number, reported: Reported): Promise<void> {
  const ended = once(child, 'exit');
  const output = createInterface({ input: child.stdout! });
  const closed = once(output, 'close');
  let count = 0;
  output.on('line', (line) => {
    const [what, number] = line.split(' ');
    reported[what as keyof Reported] = Math.max(reported[what as keyof Reported], Number(number));
    if (++count === lines) {
      for (let i = 0; i < spins; i++) Math.sqrt(i);
      child.kill('SIGKILL');
    }
  });
  child.stdin!.end('go');
  const [code, signal] = await ended as [number | null, string | null];
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  await closed;
  started.delete(child);
}

/** Throws unless all that was reported is there, wholly, and nothing has a gap. */
async function checkStore(path: string, reported: Reported): Promise<void> {
  const store = await openLmdbStore(path);
  try {
    let notes = 0;
    for (const visit of store.visits()) {
      expect(visit.page, 'visits have no gap').toBe(notes);
      expect(visit).toEqual(noteOf(notes).visit);
      expect(store.text(notes)?.join(), 'each visit has its text').toBe(textOf(notes++)?.join());
    }
    expect(notes).toBeGreaterThan(reported.note);
    expect(store.pageCount).toBe(pagesBefore(notes));
    expect([...store.pages()]).toEqual(Array.from({ length: notes }, (_, k) => noteOf(k).pages).flat());
    const robots = new Map([...store.robots()].map((note) => [note.origin, note]));
    expect(robots).toEqual(
      new Map(
        Array.from({ length: notes }, (_, k) => noteOf(k).robots).flatMap((note) =>
          note ? [[note.origin, note]] : [],
        ),
      ),
    );
    const state = store.checkpointOf();
    if (reported.checkpoint >= 0) expect(state).toBeDefined();
    if (state) {
      // Of the last one reported, or a later one: whole, and of a note that is there.
      const candidates = Array.from({ length: Math.ceil(notes / CHECKPOINT_NOTES) }, (_, i) => CHECKPOINT_NOTES * i);
      const found = candidates
        .filter((k) => k >= reported.checkpoint)
        .find((k) => Buffer.compare(checkpointOf(k), state) === 0);
      expect(found).toBeDefined();
    }
  } finally {
    await store.close();
  }
}

test(`killed ${kills} times with SIGKILL: what was acknowledged is there; emptied, it is not`, async () => {
  await bundle();
  const path = join(folder, 'store');
  await (await openLmdbStore(path, { seed })).close();
  const draws = new DrawStream(seed, 'kills');
  const reported: Reported = { note: -1, checkpoint: -1 };
  let next = start(path);
  for (let kill = 0; kill < kills; kill++) {
    const child = next;
    // The next one loads while this one is at work.
    next = start(path);
    await killAfter(child, 1 + (draws.uint32(kill, 0) % 40), draws.uint32(kill, 1) % 400_000, reported);
    await checkStore(path, reported);
  }
  next.kill('SIGKILL');
  expect(reported.note).toBeGreaterThan(5 * kills);
  expect(reported.checkpoint).toBeGreaterThan(0);
  // The same checks fail on a store that has lost its content, and on one that has lost a part.
  rmSync(path, { recursive: true });
  await (await openLmdbStore(path, { seed })).close();
  await expect(checkStore(path, reported)).rejects.toThrow();
  const store = await openLmdbStore(path);
  for (let k = 0; k < reported.note; k++) void store.note(noteOf(k));
  await store.close();
  await expect(checkStore(path, reported)).rejects.toThrow();
  await checkStore(path, { note: reported.note - 1, checkpoint: -1 });
}, 120_000);

import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { lockFolder } from '../../../src/base/files/folder-lock.ts';
import { isFullSweep } from '../../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';

// Goal: of any number of processes one holds a folder, and none that has ended does.

const { folder } = temporaryFolder();
const built = new URL('../../../dist/base/files/folder-lock.js', import.meta.url);
const started = new Set<ChildProcessWithoutNullStreams>();
let folders = 0;
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  vi.unstubAllEnvs();
});

/** A folder whose lock file holds `text`; without one where it is left out. */
function lockedFolder(text?: string): { path: string; lock: string } {
  const path = join(folder, String(folders++));
  mkdirSync(path);
  const lock = join(path, '.lock');
  if (text !== undefined) writeFileSync(lock, text);
  return { path, lock };
}

function take(path: string): Promise<() => void> {
  return new Promise((resolve) => { resolve(lockFolder(path)); });
}

/** A process that tries to lock each folder named on its input, reports the outcome, and holds it until killed. */
class Taker {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    this.#child = spawn(process.execPath, ['--input-type=module', '-e', `
      import { createInterface } from 'node:readline';
      import { lockFolder } from '${built.href}';
      console.log('ready');
      for await (const path of createInterface({ input: process.stdin })) {
        try { await lockFolder(path); console.log('taken'); } catch (error) { console.log(error.name + ' ' + error.message); }
      }`]);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    started.add(this.#child);
  }

  async says(): Promise<string> {
    return String((await this.#lines.next()).value);
  }

  take(path: string): void {
    this.#child.stdin.write(`${path}\n`);
  }

  async killed(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await ended;
    started.delete(this.#child);
  }
}

/** What a process that has ended may have left behind. */
const remains: Record<string, string | undefined> = {
  nothing: undefined,
  'an empty file': '',
  'the name of a process that has ended': `999999999 ${hostname()}\n`,
  'the name of a process whose id is in use again': `${process.pid} ${hostname()} an-earlier-start 1\n`,
  'the name without its start, as version 0.1.0 wrote it': `${process.pid} ${hostname()}\n`,
  'half a name': '12',
};

test('of two processes that begin at once one gets the folder, whatever was left there', async () => {
  for (let round = 0; round < (isFullSweep ? 9 : 1); round++) {
    const takers = [new Taker(), new Taker()];
    expect(await Promise.all(takers.map((taker) => taker.says()))).toEqual(['ready', 'ready']);
    const paths: string[] = [];
    for (const [what, text] of Object.entries(remains)) {
      const { path } = lockedFolder(text);
      paths.push(path);
      for (const taker of takers) taker.take(path);
      const said = (await Promise.all(takers.map((taker) => taker.says()))).sort();
      expect(said[1], `${what}: ${said[0]}`).toBe('taken');
      expect(said[0], what).toMatch(
        new RegExp(`^InputError ${path}: is being written by process ([0-9]+|unknown); wait for it`),
      );
    }
    await Promise.all(takers.map((taker) => taker.killed()));
    // They are gone: what they left is in nobody's way.
    for (const path of paths) (await take(path))();
  }
});

test('a process that was killed is followed at once; one that holds the folder is named', async () => {
  const { path, lock } = lockedFolder();
  const taker = new Taker();
  await taker.says();
  taker.take(path);
  expect(await taker.says()).toBe('taken');
  const [pid] = readFileSync(lock, 'utf8').split(' ');
  expect(await inputErrorOf(take(path))).toBe(`${path}: is being written by process ${pid}; wait for it`);
  await taker.killed();
  const unlock = await take(path);
  expect(readFileSync(lock, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  expect(await inputErrorOf(take(path))).toContain(`is being written by process ${process.pid}; wait for it`);
  unlock();
  expect(existsSync(lock)).toBe(false);
});

const mayUnshare = spawnSync('unshare', ['-fp', 'true']).status === 0;
test.skipIf(!mayUnshare)('a container that is started again: its process has the same id', () => {
  const { path, lock } = lockedFolder();
  // It ends at once, without giving the folder back: process 1 takes no SIGKILL from its own.
  const script = `import { lockFolder } from '${built.href}'; await lockFolder(process.argv[1]); process.reallyExit(9);`;
  for (let start = 0; start < (isFullSweep ? 3 : 2); start++) {
    const { status, stderr } = spawnSync('unshare', [
      '-fp', process.execPath, '--input-type=module', '-e', script, path,
    ]);
    expect([status, stderr.toString()]).toEqual([9, '']);
    expect(readFileSync(lock, 'utf8')).toMatch(/^1 /);
  }
});

describe('where the system has no such lock, the text decides', () => {
  const word = { pid: process.pid, host: hostname() };
  test.each([
    ['nothing', undefined, true],
    ['an empty file', '', true],
    ['a process that has ended', `999999999 ${word.host}\n`, true],
    ['another process of this id', `${word.pid} ${word.host} an-earlier-start 1\n`, true],
    ['this process', `${word.pid} ${word.host}\n`, false],
  ])('%s', async (_, text, isFree) => {
    vi.stubEnv('PATH', '');
    const { path } = lockedFolder(text);
    if (!isFree) {
      expect(await inputErrorOf(take(path))).toContain(`is being written by process ${word.pid}; wait for it`);
      return;
    }
    const unlock = await take(path);
    expect(await inputErrorOf(take(path))).toContain(`is being written by process ${word.pid}; wait for it`);
    unlock();
  });
});

test('another machine holds it, as far as is known from here', async () => {
  const { path, lock } = lockedFolder(`12 not-${hostname()}\n`);
  expect(await inputErrorOf(take(path))).toBe(
    `${path}: is being written by process 12 of not-${hostname()}; wait for it, or remove ${lock} if that process has ended`,
  );
  expect(readFileSync(lock, 'utf8')).toBe(`12 not-${hostname()}\n`);
});

const isLinux = existsSync('/proc/sys/kernel/random/boot_id');
test.skipIf(!isLinux)('a container of this machine under another name is not another machine', async () => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  (await take(lockedFolder(`1 not-${hostname()} ${boot} 1\n`).path))();
});

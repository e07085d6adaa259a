import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { doorFolder, openRuns } from '../../src/views/watch/index.ts';
import { aCard, opened, privateFolder } from './opened.ts';

// Goal: who lists runs finds those that can be joined and no others, whatever killed processes, other users, and other
// programs leave in the folder.

let place: ReturnType<typeof privateFolder>;
let folder: string;
const listed = () => openRuns({ XDG_RUNTIME_DIR: place.folder })
  .then((runs) => runs.filter(({ socket }) => socket.startsWith(folder)));
beforeEach(() => {
  place = privateFolder();
  folder = join(place.folder, 'orbweaver');
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(() => { place.remove(); });

/** A process that listens on the socket of a run, with its card, and is killed. */
async function killedRun(): Promise<{ pid: number; id: string; text: string }> {
  const child = spawn(process.execPath, ['-e', `
    const [folder] = process.argv.slice(1);
    const id = 'abc-' + process.pid + '-0';
    const card = { id, kind: 'live', name: 'n', command: 'c', pid: process.pid, startedAt: '2026-11-24', folder: null };
    const stat = require('fs').readFileSync('/proc/self/stat', 'utf8');
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = require('fs').readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const holder = process.pid + ' ' + require('os').hostname() + ' ' + boot + ' ' + start + '\\n';
    require('net').createServer().listen(folder + '/' + id + '.sock', () => {
      require('fs').writeFileSync(folder + '/' + id + '.json', JSON.stringify({ card, process: holder }));
      console.log('open');
    });`, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const id = `abc-${child.pid}-0`;
  expect((await listed()).map(({ card }) => card.id)).toEqual([id]);
  const text = readFileSync(join(folder, `${id}.json`), 'utf8');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readdirSync(folder)).toHaveLength(2);
  return { pid: child.pid!, id, text };
}

test('runs of this process are listed while their doors are open, by their start', async () => {
  const [first, second] = [await opened(folder), await opened(folder)];
  expect((await listed()).map(({ card }) => card)).toEqual([first.run.card, second.run.card]);
  expect((await listed())[0]).toEqual(first.run);
  await first.finish();
  expect((await listed()).map(({ card }) => card.id)).toEqual([second.run.card.id]);
  await second.finish();
  expect(await listed()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('the files of a killed run are removed', async () => {
  await killedRun();
  expect(await listed()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a process that has taken the number of a killed one is not the run', async () => {
  const { id, text } = await killedRun();
  const own = id.replace(/-[0-9]+-/, `-${process.pid}-`);
  const { card, process: holder } = JSON.parse(text) as { card: object; process: string };
  writeFileSync(join(folder, `${own}.json`), JSON.stringify({
    card: { ...card, id: own, pid: process.pid }, process: holder.replace(/^[0-9]+/, String(process.pid)),
  }));
  expect(await listed()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('half a card, or one that is none, is no run; that of a process that is there is left to it', async () => {
  const here = aCard().id;
  const gone = here.replace(/-[0-9]+-/, `-${spawnSync('true').pid}-`);
  const names: string[] = [];
  for (const id of [here, gone]) {
    writeFileSync(join(folder, `${id}.json.partial`), '{"card":');
    writeFileSync(join(folder, `${id}.json`), '{"card":{"id":7}}');
    if (id === here) names.push(`${id}.json`, `${id}.json.partial`);
  }
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(await listed()).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual([...names, 'notes.txt'].sort());
});

test('a folder that is open to others is not looked into', async () => {
  const open = await opened(folder);
  chmodSync(folder, 0o777);
  expect(await listed()).toEqual([]);
  chmodSync(folder, 0o700);
  expect(await listed()).toHaveLength(1);
  await open.finish();
});

test.each([
  ['set', { XDG_RUNTIME_DIR: '/run/user/1000' }, '/run/user/1000/orbweaver'],
  ['not set', {}, join(tmpdir(), `orbweaver-${process.getuid?.() ?? ''}`)],
  ['relative', { XDG_RUNTIME_DIR: 'run' }, join(tmpdir(), `orbweaver-${process.getuid?.() ?? ''}`)],
  [
    'too long for a socket', { XDG_RUNTIME_DIR: `/run/${'x'.repeat(80)}` },
    join(tmpdir(), `orbweaver-${process.getuid?.() ?? ''}`),
  ],
])('where doors are: XDG_RUNTIME_DIR %s', (_name, env, expected) => {
  expect(doorFolder(env)).toBe(expected);
});

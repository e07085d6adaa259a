import { once } from 'node:events';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { maxFeedLines, type RunMessage } from '../../src/views/watch/index.ts';
import { Lines } from '../../src/views/watch/lines.ts';
import { inputErrorOf } from '../temporary-folder.ts';
import { opened, privateFolder, Watcher, type Opened } from './opened.ts';

// Goal: a door is open to its user alone, and whoever comes through it can neither stop the run by nonsense, nor slow
// it down or fill its memory by not listening.

let place: ReturnType<typeof privateFolder>;
let open: Opened;
beforeEach(async () => {
  place = privateFolder();
  open = await opened(place.folder);
});
afterEach(async () => {
  await open.finish();
  place.remove();
});

/** A connection that reads nothing until it is told to. */
async function connected(): Promise<Socket> {
  const socket = createConnection(open.run.socket).on('error', () => undefined).pause();
  await once(socket, 'connect');
  return socket;
}

test('socket and card are for the user alone, and gone in the end', async () => {
  const { folder } = place;
  const card = join(folder, `${open.run.card.id}.json`);
  expect(statSync(open.run.socket).mode & 0o777).toBe(0o600);
  expect(statSync(card).mode & 0o777).toBe(0o600);
  await open.finish();
  expect([existsSync(open.run.socket), existsSync(card)]).toEqual([false, false]);
  open = await opened(folder);
});

test('a folder that others may enter is refused, and so is one that is none', async () => {
  const other = privateFolder();
  chmodSync(other.folder, 0o755);
  expect(await inputErrorOf(opened(other.folder))).toBe(
    `${other.folder}: is open to others (mode 755); it must be your own, with mode 700`,
  );
  other.remove();
  expect(await inputErrorOf(opened('/proc/version'))).toMatch(/^\/proc\/version: is not a folder; /);
  expect(await inputErrorOf(opened(join(other.folder, 'none')))).toMatch(/cannot be made/);
  if (process.getuid?.() !== 0) {
    expect(await inputErrorOf(opened('/'))).toMatch(/^\/: belongs to another user/);
  }
});

test.each([
  ['no JSON', 'stop', null],
  ['no object', '7', null],
  ['without a number', '{"do":"stop"}', null],
  ['with a bad number', '{"do":"stop","number":-1}', null],
  ['of an unknown kind', '{"number":3,"do":"dance"}', 3],
  ['with too much in it', '{"number":4,"do":"stop","now":true}', 4],
  ['longer than 64 KiB', `{"number":5,"do":"${'s'.repeat(65_536)}"}`, null],
])('a line %s is answered if it has a number, otherwise the connection is closed', async (_name, line, number) => {
  const socket = await connected();
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; }).resume();
  socket.write(`${line}\n`);
  const answer = (): RunMessage | undefined => text.split('\n').slice(0, -1)
    .map((one) => JSON.parse(one) as RunMessage).find(({ is }) => is === 'answer');
  if (number === null) {
    await once(socket, 'close');
    expect(answer()).toBeUndefined();
  } else {
    while (answer() === undefined) await once(socket, 'data');
    const error = 'is not a request that this version of Orbweaver knows';
    expect(answer()).toEqual({ is: 'answer', to: number, error });
    socket.destroy();
  }
  expect(open.control.isPaused).toBe(false);
  // Others are heard all the same.
  const watcher = await Watcher.join(open.run);
  await watcher.joined.ask({ do: 'pause' });
  expect(open.control.isPaused).toBe(true);
});

test('requests cut anywhere are put together', async () => {
  const socket = await connected();
  const pieces = ['{"number":0,', '"do":"pause"}', '\n{"number":1,"do":"resume"}\n{"num', 'ber":2,"do":"pause"}\n'];
  for (const piece of pieces) {
    socket.write(piece);
    await sleep(2);
  }
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; }).resume();
  while (!text.includes('"to":2')) await once(socket, 'data');
  expect(text.match(/\{"is":"answer".*\}/g)).toEqual(
    [0, 1, 2].map((to) => `{"is":"answer","to":${to},"error":null}`),
  );
  expect(open.control.isPaused).toBe(true);
  socket.destroy();
});

test('who does not read misses states: nothing piles up, others are served, and later it gets all there is', async () => {
  await open.finish();
  // Its clock stands still, so that no state takes long, and every one is sent.
  open = await opened(place.folder, 1e6, () => 0);
  const { door, watch } = open;
  const deaf = await connected();
  const reader = await Watcher.join(open.run);
  // 20 MB, in lines and states of 10 kB.
  const said = 2 * maxFeedLines;
  for (let i = 0; i < said; i++) {
    watch.finish('x'.repeat(10_000));
    door.tick();
    await reader.until(() => reader.feed.at(-1)?.number === i);
  }
  expect(reader.feed).toHaveLength(said);
  const numbers: number[] = [];
  let bytes = 0;
  const lines = new Lines(2 ** 26, (line) => {
    bytes += line.length;
    const message = JSON.parse(line) as RunMessage;
    if (message.is === 'feed') numbers.push(...message.lines.map(({ number }) => number));
  });
  deaf.on('data', (chunk: Buffer) => { lines.push(chunk); }).resume();
  while (numbers.at(-1) !== said - 1) await once(deaf, 'data');
  // What it had not read when it fell behind, at most 1 MB and what the system holds, and then all there is, once.
  expect(bytes).toBeLessThan(2e6 + maxFeedLines * 10_200);
  expect(numbers.slice(-maxFeedLines)).toEqual(Array.from({ length: maxFeedLines }, (_, i) => said - maxFeedLines + i));
  deaf.destroy();
});

test('while nobody looks, no state is made; who joins then has all there is', async () => {
  let made = 0;
  const { watch } = open;
  const state = watch.state.bind(watch);
  watch.state = () => {
    made++;
    return state();
  };
  await sleep(30);
  expect(made).toBe(0);
  const watcher = await Watcher.join(open.run);
  await watcher.until(() => watcher.state !== undefined);
  expect(made).toBeGreaterThan(0);
  watcher.joined.close();
  await watcher.until(() => true);
});

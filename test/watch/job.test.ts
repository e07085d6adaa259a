import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Door, JobWatch, openRuns, type JobBoard, type JobState } from '../../src/views/watch/index.ts';
import { socketOf } from '../../src/views/watch/runs-folder.ts';
import { aCard, privateFolder, Watcher } from './opened.ts';

// Goal: a plan, a tune or a study is joined like a run; it shows how far it is, and can be stopped but nothing else.

let place: ReturnType<typeof privateFolder>;
let watch: JobWatch;
let door: Door;
let stopped: AbortController;
let timer: NodeJS.Timeout;
beforeEach(async () => {
  place = privateFolder();
  stopped = new AbortController();
  watch = new JobWatch({
    card: aCard({ kind: 'plan', folder: '/runs/plan' }), now: () => performance.now(), signal: stopped.signal,
    stop: () => { stopped.abort(); },
  });
  door = await Door.open(watch, { wait: (ms) => wait(ms, undefined, { ref: false }), folder: place.folder });
  timer = setInterval(() => { door.tick(); }, 5);
});
afterEach(async () => {
  clearInterval(timer);
  await door.close();
  place.remove();
});

const join = (): Promise<Watcher> =>
  Watcher.join({ card: watch.card, socket: socketOf(place.folder, watch.card.id) });
const stateOf = ({ messages }: Watcher): JobState | undefined =>
  messages.findLast((message) => message.is === 'job')?.job;
const board: JobBoard = {
  noun: 'set-up', measures: [{ name: 'rank gathered', form: 'share', better: 'more', limit: null }], unlisted: 3,
  candidates: [
    { name: 'opic', at: null, standing: 'best', runs: 1, estimates: [{ mean: 0.4, low: null, high: null }] },
  ],
  answer: 'The best so far: opic.',
};
const progress = { doing: 'pilots', done: 1, asked: 4, cached: 0, share: 0.1, secondsLeft: 9 };

test('who joins has what is known so far, then what is new, and the end', async () => {
  const watcher = await join();
  await watcher.until(() => stateOf(watcher)?.phase === 'preparing');
  watch.board = () => board;
  watch.progress(progress);
  watch.progress({ ...progress, done: 2 });
  watch.progress({ ...progress, doing: 'race, round 1 of 3', done: 0 });
  await watcher.until(() => stateOf(watcher)?.progress?.doing === 'race, round 1 of 3');
  expect(stateOf(watcher)).toMatchObject({ phase: 'running', error: null, ...board });
  await watcher.until(() => watcher.feed.length === 2);
  // A phase is a line of the feed once, however many runs it has.
  expect(watcher.feed.map(({ text }) => text)).toEqual(['pilots', 'race, round 1 of 3']);
  const later = await join();
  await later.until(() => stateOf(later) !== undefined);
  expect(later.messages[0]).toEqual({ is: 'card', card: watch.card });
  expect(later.feed).toEqual(watcher.feed);
  watch.finish('no space left');
  clearInterval(timer);
  await door.close();
  await watcher.until(() => watcher.isClosed).catch(() => undefined);
  expect(stateOf(watcher)).toMatchObject({ phase: 'failed', error: 'no space left', ...board });
});

test('it is stopped once, and refuses everything else with a message', async () => {
  const watcher = await join();
  for (const refused of [
    { do: 'pause' }, { do: 'resume' }, { do: 'robots', robots: 2 }, { do: 'host', host: 'a', delayMs: 5 },
    { do: 'pace', maxSuperstepsPerSecond: 2 },
  ] as const) await expect(watcher.joined.ask(refused)).rejects.toThrow('a plan can only be stopped');
  expect(stopped.signal.aborted).toBe(false);
  await watcher.joined.ask({ do: 'stop' });
  await watcher.joined.ask({ do: 'stop' });
  expect(stopped.signal.aborted).toBe(true);
  await watcher.until(() => stateOf(watcher)?.phase === 'stopping' && watcher.feed.length > 0);
  expect(watcher.feed).toHaveLength(1);
  watch.finish();
  await expect(watcher.joined.ask({ do: 'stop' })).rejects.toThrow('the plan has ended');
});

test('it is found among the runs that can be joined, and its file says whether it ended', async () => {
  const folder = `${place.folder}/orbweaver`;
  const [found] = await openRuns({ XDG_RUNTIME_DIR: place.folder });
  expect(found).toBeUndefined();
  const other = await Door.open(watch, { wait: (ms) => wait(ms), folder });
  const [open] = await openRuns({ XDG_RUNTIME_DIR: place.folder });
  expect(open.card).toEqual(watch.card);
  await other.close();
  watch.board = () => board;
  expect(watch.file(null)).toMatchObject({ kind: 'plan', name: 'docs-web', ended: null, ...board });
  expect(watch.file('interrupted').ended).toBe('interrupted');
});

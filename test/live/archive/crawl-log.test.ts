import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CrawlLog, logText, type LogLine } from '../../../src/core/live/archive/crawl-log.ts';
import { loggedAddresses } from '../../../src/core/live/archive/log-reasons.ts';
import { InputError, WorldError } from '../../../src/base/index.ts';
import { outcomeKinds } from '../../../src/core/world/index.ts';
import { anyCharacter } from '../../any-text.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';

const { folder } = temporaryFolder();
let files = 0;
const newPath = (): string => join(folder, `${files++}.log`);

const line: LogLine = {
  atMs: Date.UTC(2026, 10, 21, 7, 8, 9, 45), url: 'https://a.example/x?y=1', kind: 'fetched', status: 200, bytes: 1234,
  type: 'text/html; charset=utf-8', depth: 2, reason: '', digest: 'ab12', pauseUs: 0, address: '192.0.2.7',
  times: { startUs: 1_000_000, connectedUs: undefined, firstByteUs: 15_200, endUs: 18_000, storedUs: 19_500 },
};

test('the columns', () => {
  expect(logText(line)).toBe(
    '2026-11-21T07:08:09.045Z 200       1234 fetched         2 https://a.example/x?y=1 text/html;%20charset=utf-8 ab12 - 1000000 - 15200 18000 19500 0 192.0.2.7\n',
  );
  expect(
    logText({
      ...line, kind: 'refused', status: 0, bytes: 0, type: '', digest: '', reason: 'connection reset: ünfit\r\n100%',
      times: undefined, pauseUs: 2_000_000, address: undefined,
    }),
  ).toBe(
    '2026-11-21T07:08:09.045Z   -          0 refused         2 https://a.example/x?y=1 - - connection%20reset:%20%C3%BCnfit%0D%0A100%25 - - - - - 2000000 -\n',
  );
});

test('whatever the network says, a line is one line of sixteen columns in printable ASCII', () => {
  const hostile = fc.string({ unit: anyCharacter, maxLength: 220 });
  fc.assert(
    fc.property(
      fc.record({
        atMs: fc.integer({ min: 0, max: 4e12 }),
        url: hostile.map((text) => `https://h/${text}`),
        kind: fc.constantFrom(...outcomeKinds),
        status: fc.integer({ min: 0, max: 999 }),
        bytes: fc.nat(),
        type: hostile,
        depth: fc.nat(),
        reason: hostile,
        digest: hostile,
        times: fc.constantFrom(line.times, undefined),
        pauseUs: fc.nat(),
      }),
      (one) => {
        const text = logText(one);
        expect(text).toMatch(/^[\x20-\x7e]+\n$/);
        expect(text.trim().split(/ +/)).toHaveLength(16);
      },
    ),
    { numRuns: 60 },
  );
});

test('the addresses of hosts that have one, by name and port, whatever else the log has', async () => {
  const path = newPath();
  const lines = [
    { url: 'http://a.example/1', address: '192.0.2.2' }, { url: 'http://a.example/2', address: '192.0.2.2' },
    { url: 'http://c.example/1', address: '192.0.2.1' }, { url: 'http://c.example/2', address: '192.0.2.2' },
    { url: 'http://c.example/3', address: '192.0.2.1' },
    { url: 'http://a.example:81/', address: '2001:db8::1' }, { url: 'http://b.example/', address: undefined },
    { url: 'http://a.example/3', address: undefined },
  ].map((end) => logText({ ...line, ...end }));
  const others = ['', 'torn', logText(line).replace(/ \S+\n$/, '\n'), logText({ ...line, address: 'no address' })];
  writeFileSync(path, [...lines, ...others].join(''));
  expect([...await loggedAddresses(path)]).toEqual([['a.example', '192.0.2.2'], ['a.example:81', '2001:db8::1']]);
});

test('what was added is there after close, in order, and goes on at the next opening', async () => {
  const path = newPath();
  const urls: string[] = [];
  for (let opening = 0; opening < 3; opening++) {
    const log = await CrawlLog.open(path);
    for (let i = 0; i < 100; i++) {
      urls.push(`https://a.example/${opening}/${i}`);
      log.add({ ...line, url: urls.at(-1)! });
      if (i % 40 === 0) await new Promise(setImmediate);
    }
    await log.close();
    await log.close();
  }
  expect(readFileSync(path, 'latin1').split('\n').slice(0, -1).map((text) => text.split(/ +/)[5])).toEqual(urls);
});

test('lines are with the system when the turn is over', async () => {
  const path = newPath();
  const log = await CrawlLog.open(path);
  log.add(line);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(readFileSync(path, 'latin1')).toBe(logText(line));
  await log.close();
});

test('a torn last line is cut, wherever it was torn', async () => {
  const whole = logText(line);
  for (const [content, remains] of [
    ['', ''],
    ['2026', ''],
    [whole, whole],
    [`${whole}2026-11`, whole],
    ['x'.repeat(200_000), ''],
    [`${whole}${'x'.repeat(70_000)}`, whole],
  ]) {
    const path = newPath();
    writeFileSync(path, content);
    await (await CrawlLog.open(path)).close();
    expect(readFileSync(path, 'latin1')).toBe(remains);
  }
  const path = newPath();
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(path, whole);
    appendFileSync(path, whole);
    truncateSync(path, whole.length + length);
    await (await CrawlLog.open(path)).close();
    expect(readFileSync(path, 'latin1')).toBe(whole);
  }
});

test('a path that cannot be written, and a disk that is full, are reported', async () => {
  const isFolder = newPath();
  mkdirSync(isFolder);
  expect(await inputErrorOf(CrawlLog.open(isFolder))).toContain('is a folder');
  await expect(CrawlLog.open(join(folder, 'none', 'crawl.log'))).rejects.toThrow(InputError);
  const log = await CrawlLog.open('/dev/full');
  log.add(line);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(() => log.add(line)).toThrow(WorldError);
  await expect(log.close()).rejects.toThrow('/dev/full: could not be written');
});

test('where the disk is full within a line, the line is cut off', () => {
  const path = newPath();
  const built = new URL('../../../dist/core/live/archive/crawl-log.js', import.meta.url).href;
  const script = `
    import { CrawlLog } from '${built}';
    const log = await CrawlLog.open(process.argv[1]);
    for (let i = 0; i < 100; i++) log.add(${JSON.stringify(line)});
    await log.close().catch((error) => console.log(error.name));`;
  const { stdout } = spawnSync('bash', [
    '-c', 'ulimit -f 4; exec "$@"', 'bash', process.execPath, '--input-type=module', '-e', script, path,
  ]);
  expect(String(stdout)).toBe('WorldError\n');
  const text = readFileSync(path, 'latin1');
  expect(text.length).toBeGreaterThan(3000);
  expect(text).toMatch(/\n$/);
});

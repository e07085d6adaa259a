import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished, newFolder, orbweaver, start } from '../../cli/command.ts';

// Goal: a frontier is served, asked and steered from the command line.

const folder = newFolder();
const child = start(['serve', 'frontier', '--port', '0', '--store', 'store', '--metrics', '0'], folder);
const end = finished(child);
let printed = '';
let at = '';
let metrics = '';
beforeAll(async () => {
  while (!printed.includes('/metrics')) printed += String((await once(child.stdout!, 'data') as [Buffer])[0]);
  at = /frontier at (\S+),/.exec(printed)![1];
  metrics = /metrics at (\S+)/.exec(printed)![1];
});
afterAll(async () => {
  child.kill('SIGTERM');
  expect((await end).code).toBe(0);
  rmSync(folder, { recursive: true });
});

async function frontier(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await orbweaver(['frontier', ...words, '--at', at], folder);
  expect([words, code, stderr]).toEqual([words, 0, '']);
  return stdout;
}

test('it says where it is and how many URLs fit', () => {
  expect(printed).toMatch(/^frontier at 127\.0\.0\.1:\d+, store store: 0 URLs in 0 queues of 0 crawls$/m);
  expect(printed).toMatch(/^room for about [\d,]+ more URLs: \d+ bytes of memory and \d+ of disk each$/m);
});

test('put, list, get, block, limit, delay, delete', async () => {
  writeFileSync(join(folder, 'seeds.txt'), '# seeds\nhttp://a.example/1\nhttp://a.example/2\n\nhttp://b.example/1\n');
  expect(await frontier('put', 'seeds.txt')).toBe('3 URLs put, 0 skipped, 0 failed\n');
  expect(await frontier('put', 'seeds.txt', '--json')).toBe('{\n  "ok": 0,\n  "skipped": 3,\n  "failed": 0\n}\n');
  expect(await frontier('queues')).toBe('a.example\nb.example\n');
  expect(await frontier('list', '--key', 'a.example')).toBe('http://a.example/1\nhttp://a.example/2\n');
  await frontier('block', 'b.example', '3600');
  expect(await frontier('queues')).toBe('a.example\n');
  expect(await frontier('get', '--lease', '3600')).toBe('http://a.example/1\n');
  expect(await frontier('stats')).toBe('crawl DEFAULT: 2 queues, 3 active URLs, 1 under a lease, 0 done\n');
  await frontier('block', 'b.example', '0');
  await frontier('delay', 'b.example', '5');
  await frontier('limit', 'b.example', '7');
  expect(await frontier('get', '--key', 'b.example', '--json')).toBe(
    '{"url":"http://b.example/1","key":"b.example","crawlID":"DEFAULT"}\n',
  );
  expect(await frontier('active', 'off')).toBe('off\n');
  expect(await frontier('get', '--urls', '9')).toBe('');
  expect(await frontier('active', 'on')).toBe('on\n');
  const dump = await frontier('list', '--json');
  expect(await frontier('delete', '--whole-crawl')).toBe('3 active URLs deleted\n');
  writeFileSync(join(folder, 'dump.jsonl'), dump);
  expect(await frontier('put', 'dump.jsonl')).toBe('3 URLs put, 0 skipped, 0 failed\n');
  // The creation date is that of this frontier.
  const undated = (lines: string): string => lines.replace(/"creationDate":"\d+"/g, '');
  expect(undated(await frontier('list', '--json'))).toBe(undated(dump));
  expect(await frontier('delete', '--key', 'a.example')).toBe('2 active URLs deleted\n');
});

test('metrics are served', async () => {
  const text = await (await fetch(metrics)).text();
  expect(text).toMatch(/^frontier_getURLs_calls_total \d+$/m);
});

test.each<readonly [words: string, code: number, says: RegExp]>([
  ['serve frontier --policy scores', 2, /^policy scores: needs the scores of pages/m],
  ['serve frontier --policy opc', 2, /policy: invalid|opc/],
  ['serve frontier --policy-option opic-root=none', 2, /opic-?root/i],
  ['serve frontier --tls-cert x', 2, /^--tls-cert and --tls-key belong together/m],
  ['serve frontier --token-file nothing', 2, /^--token-file nothing: cannot be read \(ENOENT\)/m],
  ['serve frontier --token-file seeds.txt', 2, /^--token-file seeds.txt: must have one token/m],
  ['serve frontier --port 70000', 2, /^--port 70000: must be at most 65535/m],
  ['serve frontier --store seeds.txt', 2, /seeds\.txt/],
  ['frontier stats --at nowhere', 2, /^--at nowhere: must be HOST:PORT/m],
  ['frontier stats --at 127.0.0.1:1', 3, /^frontier at 127\.0\.0\.1:1: .*UNAVAILABLE/m],
  ['frontier block a.example soon', 2, /^<seconds> soon: must be a whole number below 2\^32/m],
  ['frontier delete', 2, /^frontier delete needs --key KEY or --whole-crawl/m],
  ['frontier active maybe', 2, /^\[state\] maybe: must be on or off/m],
  ['frontier list --size 0', 2, /^--size 0: must be at least 1/m],
])('%s is refused', async (words, code, says) => {
  const result = await orbweaver(words.split(' '), folder);
  expect([result.code, result.stdout]).toEqual([code, '']);
  expect(result.stderr).toMatch(says);
  expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('a file that is not there, and a line that is no item, are named', async () => {
  writeFileSync(join(folder, 'bad.txt'), 'http://z.example/\n{"known": 5\n');
  writeFileSync(join(folder, 'text.txt'), '# seeds\nhttp://z.example/\nz example\n');
  for (const [file, says] of [
    ['nothing.txt', /^nothing\.txt: cannot be read \(ENOENT\)$/m],
    ['text.txt', /^text\.txt:3: must be a URL, or an item in JSON as list --json prints it$/m],
    ['bad.txt', /^bad\.txt:2: must be a URL, or an item in JSON as list --json prints it$/m],
  ] as const) {
    const { code, stderr } = await orbweaver(['frontier', 'put', file, '--at', at], folder);
    expect([code, says.test(stderr), stderr]).toEqual([2, true, stderr]);
  }
});

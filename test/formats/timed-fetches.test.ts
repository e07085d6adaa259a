import { describe, expect, test } from 'vitest';
import { readTimedFetches } from '../../src/graphs/formats/index.ts';
import { logText, type LogLine } from '../../src/core/live/archive/crawl-log.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

// Goal: how long the requests of a crawl took is read from every log that has it, and only from these.

const { file } = temporaryFolder();

const own: LogLine = {
  atMs: Date.UTC(2026, 10, 21), url: 'http://a.example/x', kind: 'fetched', status: 200, bytes: 1234, type: 'text/html',
  depth: 2, reason: '', digest: '', pauseUs: 0,
  times: { startUs: 5_000_000, connectedUs: undefined, firstByteUs: 15_200, endUs: 18_000, storedUs: 19_500 },
};

test("Orbweaver's own log", async () => {
  const lines = [
    own,
    {
      ...own, url: 'http://b.example/', kind: 'robotsFetched', reason: 'robots.txt: status 200', pauseUs: 2_000_000,
      times: { startUs: 0, connectedUs: 900, firstByteUs: 9000, endUs: 9100, storedUs: 9200 },
    },
    { ...own, kind: 'robotsDenied', status: 0, times: undefined },
    {
      ...own, kind: 'timeout', status: 0, bytes: 0,
      times: { startUs: 7, connectedUs: undefined, firstByteUs: undefined, endUs: 1e6, storedUs: 1e6 + 1 },
    },
  ] as const satisfies readonly LogLine[];
  expect(await readTimedFetches(file('own.log', lines.map(logText).join('')))).toEqual([
    {
      url: own.url, outcome: 'fetched', isForRobotsTxt: false, bytes: 1234, pauseUs: 0, startUs: 5_000_000,
      durationUs: 19_500, connectedUs: undefined, firstByteUs: 15_200, endUs: 18_000,
    },
    {
      url: 'http://b.example/', outcome: 'robotsFetched', isForRobotsTxt: true, bytes: 1234, pauseUs: 2_000_000,
      startUs: 0, durationUs: 9200, connectedUs: 900, firstByteUs: 9000, endUs: 9100,
    },
    expect.objectContaining({ outcome: 'robotsDenied', durationUs: 0 }),
    expect.objectContaining({ outcome: 'timeout', durationUs: 1e6 + 1, firstByteUs: undefined }),
  ]);
});

test("Heritrix's log: robots.txt apart, addresses of hosts left out", async () => {
  const line = (url: string, path: string, status: number, begun: string): string =>
    `2011-06-23T17:12:08.802Z ${String(status).padStart(5)}       1299 ${url} ${path} - text/html #014 ${begun} sha1:A - -\n`;
  const log = line('dns:a.example', 'P', 1, '20110623171208574+225') +
    line('http://a.example/robots.txt', 'P', 404, '20110623171208574+225') +
    line('http://a.example/', '-', 200, '20110623171209574+500') +
    line('http://a.example/2', 'L', -4, '20110623171210574+20000') +
    line('http://a.example/3', 'L', -9998, '-') + line('http://a.example/4', 'L', -2, '-');
  const fetches = await readTimedFetches(file('heritrix.log', log));
  expect(fetches.map(({ outcome, durationUs }) => [outcome, durationUs])).toEqual([
    ['robotsFetched', 225_000], ['fetched', 500_000], ['timeout', 20_000_000], ['robotsDenied', 0],
  ]);
  expect(fetches[1].startUs - fetches[0].startUs).toBe(1_000_000);
  const backwards = file('backwards.log', line('http://a.example/', '-', 200, '20110623171209574+-5'));
  expect(await inputErrorOf(readTimedFetches(backwards))).toMatch('http://a.example/: has a negative duration');
});

test.each([
  ['seconds', 'url,start,duration,bytes,status\nhttp://a.example/x,5,0.25,1234,200\nhttp://a.example/robots.txt,6.5,1,10,404\n'],
  ['milliseconds', 'Status;URL;start_ms;duration_ms;size\n200;http://a.example/x;5000;250;1234\n404;http://a.example/robots.txt;6500;1000;10\n'],
  ['dates, as of a log of Scrapy', 'timestamp\turl\tdownload_latency\tbytes\tstatus\n1970-01-01T00:00:05Z\thttp://a.example/x\t0.25\t1234\t200\n1970-01-01T00:00:06.500Z\thttp://a.example/robots.txt\t1\t10\t404\n'],
])('a table in %s', async (_, text) => {
  expect(await readTimedFetches(file('table.csv', text))).toEqual([
    {
      url: 'http://a.example/x', outcome: 'fetched', isForRobotsTxt: false, startUs: 5e6, durationUs: 250_000,
      bytes: 1234,
    },
    {
      url: 'http://a.example/robots.txt', outcome: 'robotsFetched', isForRobotsTxt: true, startUs: 6.5e6,
      durationUs: 1e6, bytes: 10,
    },
  ]);
});

test('addresses are read where the log has them; logs of an earlier version end with the pause', async () => {
  const [without, address] = [logText(own), logText({ ...own, address: '192.0.2.7' })];
  const earlier = without.replace(/ -\n$/, '\n');
  expect(earlier).not.toBe(without);
  for (const [text, expected] of [[without, undefined], [earlier, undefined], [address, '192.0.2.7']] as const) {
    const [fetch] = await readTimedFetches(file('own', text));
    expect(fetch.address).toBe(expected);
    expect({ ...fetch, address: undefined }).toEqual({
      ...(await readTimedFetches(file('own', without)))[0], address: undefined,
    });
  }
});

describe('refused in one sentence', () => {
  const old = logText(own).split(' ').slice(0, -7).join(' ');
  test.each([
    ['a log without times', `${old}\n`, /line 1: has no times of the request, because an earlier version/],
    ['a step before the last one', logText({ ...own, times: { ...own.times!, endUs: 1 } }), /line 1: has a negative/],
    ['a table without durations', 'url,start,bytes,status\nx,1,1,200\n', /line 1: names no column duration/],
    ['a negative duration', 'url,start,duration,bytes,status\nhttp://a/,1,-1,1,200\n', /line 2: has a negative/],
    ['no number', 'url,start,duration,bytes,status\nhttp://a/,1,soon,1,200\n', /line 2: its duration is not a number/],
    ['too few fields', 'url,start,duration,bytes,status\nhttp://a/,1\n', /line 2: has not the 5 fields/],
    ['another file', '1 2\n2 3\n', /is not a log of a crawl with times/],
  ])('%s', async (_, text, message) => {
    expect(await inputErrorOf(readTimedFetches(file('bad', text)))).toMatch(message);
  });
});

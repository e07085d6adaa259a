import { expect, test } from 'vitest';
import { networkSchema } from '../../src/core/settings/index.ts';
import { buildGraph, hostsFromNames, StringTable } from '../../src/graphs/graph/index.ts';
import { GraphSite, logLine, type LoggedRequest } from '../../src/views/service/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { abandon, get, serving } from './asking.ts';
import { politenessOf } from './politeness.ts';

// Goal: the judge of politeness finds each breach, and no other. Method: breaches put into a polite log; a quadratic
// judge by the definition.

const request = (
  host: string, startedAtUs: number, endedAtUs: number, end: LoggedRequest['end'] = 'sent',
): LoggedRequest => ({
  connection: 0, method: 'GET', host, path: '/', status: 200, startedAtUs, endedAtUs, bytes: 0, end,
});

/** Three hosts, polite at 1000 us to the microsecond. */
function polite(): LoggedRequest[] {
  const draws = new DrawStream(5, 'polite log');
  const log: LoggedRequest[] = [];
  for (const host of ['a', 'b', 'c']) {
    for (let i = 0, atUs = draws.uint32(i) % 1000; i < 50; i++) {
      const endedAtUs = atUs + (draws.uint32(i, 1) % 500);
      log.push(request(host, atUs, endedAtUs));
      atUs = endedAtUs + 1000 + (i % 3 === 0 ? 0 : draws.uint32(i, 2) % 300);
    }
  }
  return log;
}

test('a polite log has no breach, and each one put into it is found', () => {
  const log = polite();
  expect(politenessOf(log, 1000)).toEqual([]);
  expect(
    politenessOf(log, (host) => (host === 'b' ? 1001 : 1000)).map(({ what, host }) => `${what} ${host}`),
  ).toContain('too soon b');
  for (let i = 0; i < log.length - 1; i += 7) {
    const { host, startedAtUs, endedAtUs } = log[i];
    const within = request(host, startedAtUs, endedAtUs + 1);
    expect(politenessOf([...log, within], 0)[0], `${i}`).toMatchObject({ what: 'two at once', host });
    const soon = request(host, endedAtUs + 999, endedAtUs + 999);
    expect(politenessOf([soon, ...log], 1000)[0], `${i}`).toMatchObject({ what: 'too soon', host, later: soon });
    expect(politenessOf([...log, { ...within, host: 'd' }], 1000)).toEqual([]);
  }
});

test('slack is for requests that the client broke off', () => {
  const next = request('a', 900, 950);
  expect(politenessOf([request('a', 0, 1000, 'closed by client'), next], 0, 100)).toEqual([]);
  expect(politenessOf([request('a', 0, 1000, 'closed by client'), next], 1, 100)).toMatchObject([{ what: 'too soon' }]);
  expect(politenessOf([request('a', 0, 1000), next], 0, 100)).toMatchObject([{ what: 'two at once' }]);
});

test('random logs are judged as by the definition', () => {
  const draws = new DrawStream(9, 'random log');
  for (let round = 0; round < 200; round++) {
    const log = Array.from({ length: 8 }, (_, i) => {
      const startedAtUs = draws.uint32(round, 3 * i) % 60;
      return request(
        'ab'[draws.uint32(round, 3 * i + 1) % 2], startedAtUs, startedAtUs + 1 + (draws.uint32(round, 3 * i + 2) % 5),
      );
    });
    // A log is polite if of each two requests to a host one begins no sooner than the delay after the other's end.
    const isPolite = log.every((a, i) => log.every((b, j) =>
      i >= j || a.host !== b.host || b.startedAtUs >= a.endedAtUs + 3 || a.startedAtUs >= b.endedAtUs + 3));
    expect(politenessOf(log, 3).length === 0).toBe(isPolite);
  }
});

test('a client that asks for one page after another is judged polite, one that asks for two at once is not', async () => {
  const graph = buildGraph({
    name: 'large', pages: 2, sources: Uint32Array.of(0, 1), targets: Uint32Array.of(1, 0),
    hosts: hostsFromNames(['a.example', 'a.example']), paths: StringTable.from(['/0', '/1']),
    bytes: Uint32Array.of(3_000_000, 10),
  });
  const served = (latencyMs: number): ReturnType<typeof serving> => {
    const network = networkSchema.parse({ latencyMs, latencySigma: 0, bandwidthBytesPerSecond: 0 });
    return serving(new GraphSite(graph, { network, seed: 1 }));
  };
  const { server, log } = await served(1);
  // Each on a connection of its own, at once when the one before is over; now and then one is given up in the middle.
  for (let i = 0; i < 30; i++) {
    if (i % 10 === 9) await abandon(server, 'GET /0 HTTP/1.1\r\nHost: a.example\r\n\r\n');
    else await get(server, `http://a.example/${i % 2}`);
  }
  await expect.poll(() => log.length).toBe(30);
  expect(politenessOf(log, 0, 100_000)).toEqual([]);
  // Long enough that the second request comes before the first is answered, however busy the machine is.
  const slow = await served(500);
  await Promise.all([0, 1].map((page) => get(slow.server, `http://a.example/${page}`)));
  await expect.poll(() => slow.log.length).toBe(2);
  expect(politenessOf(slow.log, 0, 100_000)).toMatchObject([{ what: 'two at once', host: 'a.example' }]);
});

test('a line of the log is one line of JSON, whatever was asked for', () => {
  const hostile = { ...request('a\u009b31m', 1, 2), path: '/\u202e\u007f\n"\u2028' };
  const line = logLine(hostile);
  expect(line).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(line)).toEqual(hostile);
});

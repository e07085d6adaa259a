import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/core/live/fetch/answer.ts';
import { RobotsCache, robotsNote } from '../../../src/core/live/politeness/robots-cache.ts';
import type { RobotsNote } from '../../../src/core/live/store/crawl-store.ts';
import type { RobotsRules } from '../../../src/base/web/robots/robots-txt.ts';

// Goal: what is not known is asked for, what is known holds for as long as RFC 9309 has it, and memory does not grow
// with the web.

const HOUR_MS = 3_600_000;
const nowMs = Date.UTC(2026, 0, 1);
const origin = 'https://example.org';
const settings = { agent: 'orbweaver', robotsTxt: 'obey' } as const;
const text = 'user-agent: *\ndisallow: /x\n';
const page = new URL('/x', origin);

function answer(status: number, body: string | Buffer = '', ...rawHeaders: string[]): Answer {
  const url = `${origin}/robots.txt`;
  return { url, status, statusText: '', rawHeaders, body: Buffer.from(body), address: '192.0.2.1', requestHead: '' };
}

/** A cache that knows what an earlier run noted. */
function restored(...notes: readonly RobotsNote[]): RobotsCache {
  const cache = new RobotsCache(settings);
  for (const note of notes) cache.restore(note, nowMs);
  return cache;
}
const allows = (rules: RobotsRules | undefined, url: URL): boolean | undefined =>
  rules && rules.judge(url).refusal === undefined;

/** Whether /x and /y are allowed, and for how many hours that is known. */
function meaning(end: Parameters<typeof robotsNote>[1]) {
  const note = robotsNote(origin, end, nowMs);
  const rules = restored(note).rulesOf(origin, nowMs)!;
  return [allows(rules, page), allows(rules, new URL('/y', origin)), (note.expiresAtMs - nowMs) / HOUR_MS];
}

describe('what an answer means', () => {
  test('2xx says it, 4xx and endless redirects allow, 5xx and no answer deny', () => {
    expect(meaning(answer(200, text))).toEqual([false, true, 24]);
    expect(meaning(answer(204))).toEqual([true, true, 24]);
    for (const status of [302, 400, 401, 403, 404, 410, 451, 499])
      expect(meaning(answer(status, text))).toEqual([true, true, 24]);
    for (const status of [408, 425, 429, 500, 503, 599, 600, 999, 199])
      expect(meaning(answer(status, text))).toEqual([false, false, 1]);
    expect(meaning({ reason: 'connect time-out', detail: '', bytes: 0 })).toEqual([false, false, 1]);
    expect(meaning({ reason: 'body too long', detail: '', bytes: 1e8 })).toEqual([false, false, 1]);
  });

  test('for how long: max-age within a hour and a day, Retry-After where nobody knows', () => {
    const hours = (cacheControl: string) => meaning(answer(200, text, 'Cache-Control', cacheControl))[2];
    const values = [
      'max-age=7200', 'public,MAX-AGE="7200"', 'no-store', 'max-age=0', 'max-age=1e9', 's-maxage=7200',
      'max-age=9999999999',
    ];
    expect(values.map(hours)).toEqual([2, 2, 24, 1, 1, 24, 24]);
    expect(meaning(answer(404, '', 'cache-control', 'max-age=7200'))[2]).toBe(2);
    const retried = (value: string) => meaning(answer(503, '', 'Retry-After', value))[2];
    expect(['7200', '5', '999999', 'soon'].map(retried)).toEqual([2, 1, 24, 1]);
  });

  test('content codings are taken off, unknown ones are none; damaged and huge ones deny', () => {
    const coded = (coding: string, body: Uint8Array) =>
      meaning(answer(200, Buffer.from(body), 'Content-Encoding', coding));
    for (const [coding, body] of [
      ['gzip', gzipSync(text)], ['X-GZIP', gzipSync(text)], ['deflate', deflateSync(text)],
      ['deflate', deflateRawSync(text)], ['br', brotliCompressSync(text)], ['identity', Buffer.from(text)],
      ['br, gzip', gzipSync(brotliCompressSync(text))], ['zstd', Buffer.from(text)], ['gzip', Buffer.from(text)],
      ['utf-8', Buffer.from(text)], ['constructor', Buffer.from(text)], ['gzip', gzipSync(text).subarray(0, -4)],
    ] as const)
      expect(coded(coding, body)).toEqual([false, true, 24]);
    for (const [coding, body] of [
      ['br', Buffer.from(text)], ['gzip', gzipSync(text).map((byte, i) => (i === 12 ? byte ^ 255 : byte))],
      ['gzip', gzipSync(Buffer.alloc(17 << 20))],
    ] as const) expect(coded(coding, body)).toEqual([false, false, 1]);
    expect(coded('gzip', Buffer.alloc(0))).toEqual([true, true, 24]);
    // What is cut short gives its whole lines: half of the second would deny everything.
    const cut = gzipSync(`${text}disallow: /${'y'.repeat(50_000)}`).subarray(0, -10);
    expect(coded('gzip', cut)).toEqual([false, true, 24]);
  });

  test('of a long one whole lines are stored, at most 500 KiB', () => {
    const line = 'disallow: /abc\n';
    const { body } = robotsNote(origin, answer(200, line.repeat(40_000)), nowMs);
    expect(body.length).toBe(Math.floor((500 << 10) / line.length) * line.length);
    expect(robotsNote(origin, answer(200, 'x'.repeat(600 << 10)), nowMs).body).toHaveLength(0);
    expect(robotsNote(origin, answer(404, text), nowMs).body).toHaveLength(0);
  });
});

describe('robots cache', () => {
  test('what has expired decides about one page all the same, and its delay holds until the next answer', () => {
    const delayed = robotsNote(
      origin, answer(200, 'user-agent: *\ncrawl-delay: 3600\n', 'Cache-Control', 'max-age=0'), nowMs,
    );
    const cache = new RobotsCache(settings);
    cache.take(delayed);
    const laterMs = nowMs + 2 * HOUR_MS;
    expect(cache.crawlDelayUs(origin)).toBe(3600e6);
    expect(allows(cache.rulesOf(origin, laterMs), page)).toBe(true);
    expect(cache.crawlDelayUs(origin)).toBe(3600e6);
    expect(cache.rulesOf(origin, laterMs)).toBeUndefined();
    // Of an earlier run it decides about nothing: it may be very old.
    const again = new RobotsCache(settings);
    again.restore(delayed, laterMs);
    expect(again.crawlDelayUs(origin)).toBe(3600e6);
    expect(again.rulesOf(origin, laterMs)).toBeUndefined();
  });

  test('a clock that was set back since makes nothing valid for longer than it was', () => {
    const note = robotsNote(origin, answer(503), nowMs);
    const cache = new RobotsCache(settings);
    cache.restore(note, nowMs - 1000 * HOUR_MS);
    expect(allows(cache.rulesOf(origin, nowMs - 999.5 * HOUR_MS), page)).toBe(false);
    expect(cache.rulesOf(origin, nowMs - 999 * HOUR_MS)).toBeUndefined();
  });

  test('asks for what it does not know, or no more', () => {
    const note = robotsNote(origin, answer(200, text), nowMs);
    const cache = new RobotsCache(settings);
    expect(cache.rulesOf(origin, nowMs)).toBeUndefined();
    cache.take(note);
    expect(allows(cache.rulesOf(origin, note.expiresAtMs - 1), page)).toBe(false);
    expect(cache.rulesOf('http://example.org', nowMs)).toBeUndefined();
    expect(cache.rulesOf(origin, note.expiresAtMs)).toBeUndefined();
    // It may serve again if it cannot be fetched anew.
    expect(cache.count).toBe(1);
    cache.take(robotsNote(origin, answer(404), nowMs + 25 * HOUR_MS));
    expect(allows(cache.rulesOf(origin, nowMs + 26 * HOUR_MS), page)).toBe(true);
  });

  test('knows what an earlier run noted, the last note of an origin', () => {
    const notes = [robotsNote(origin, answer(503), nowMs), robotsNote(origin, answer(200, text), nowMs)];
    expect(allows(restored(...notes).rulesOf(origin, nowMs), new URL('/y', origin))).toBe(true);
  });

  test('set to ignore robots.txt, it requests none', () => {
    const cache = new RobotsCache({ ...settings, robotsTxt: 'ignore' });
    cache.restore(robotsNote(origin, answer(503), nowMs), nowMs);
    expect(allows(cache.rulesOf(origin, nowMs), page)).toBe(true);
    expect([cache.rulesOf('http://b', nowMs)?.crawlDelayUs, cache.crawlDelayUs(origin)]).toEqual([0, 0]);
  });

  test('forgets those known longest, never the last', () => {
    const cache = new RobotsCache(settings, 100_000);
    const long = `user-agent: *\n${Array.from({ length: 100 }, (_, i) => `disallow: /${i}\n`).join('')}`;
    for (let i = 0; i < 50; i++) cache.take(robotsNote(`http://h${i}`, answer(200, long), nowMs));
    expect(cache.count).toBeGreaterThan(5);
    expect(cache.count).toBeLessThan(15);
    expect(cache.rulesOf('http://h0', nowMs)).toBeUndefined();
    expect(cache.rulesOf('http://h49', nowMs)).toBeDefined();
    const huge = `user-agent: *\n${Array.from({ length: 5000 }, (_, i) => `disallow: /${i}\n`).join('')}`;
    cache.take(robotsNote('http://huge', answer(200, huge), nowMs));
    expect([cache.count, allows(cache.rulesOf('http://huge', nowMs), new URL('http://huge/7'))]).toEqual([1, false]);
  });
});

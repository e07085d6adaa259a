import { createHash } from 'node:crypto';
import {
  copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WARCParser, type WARCRecord } from 'warcio';
import { readWarc } from '../../../src/graphs/formats/index.ts';
import { WarcWriter, type WarcPlace } from '../../../src/core/live/archive/warc-writer.ts';
import type { Answer } from '../../../src/core/live/fetch/answer.ts';
import { DrawStream, WorldError } from '../../../src/base/index.ts';
import { anyCharacter } from '../../any-text.ts';
import { isFullSweep } from '../../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { linking } from '../../formats/warc/warc-archive.ts';

const { folder } = temporaryFolder();
let folders = 0;
const newFolder = (): string => join(folder, `warc ${folders++}`);

const settings = { warcFileBytes: 2 ** 30 };
const facts = { software: 'orbweaver/0.1.0', operator: 'mailto:crawl@a.example' };
const atMs = Date.UTC(2026, 10, 21, 7, 8, 9, 45);

function answer(
  url: string, body: string | Uint8Array, headers: readonly string[] = ['Content-Type', 'text/html'],
  more: Partial<Answer> = {},
): Answer {
  const { host, pathname, search } = new URL(url);
  return {
    url, status: 200, statusText: 'OK', rawHeaders: headers, body: Buffer.from(body), address: '192.0.2.7',
    requestHead: `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, ...more,
  };
}

interface Read {
  readonly record: WARCRecord;
  readonly type: string;
  readonly header: (name: string) => string;
  /** What follows the record's own headers. */
  readonly block: Buffer;
}

const base32 = (bytes: Uint8Array): string =>
  [...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .match(/.{5}/g)!
    .map((bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(bits, 2)])
    .join('');
const sha1 = (bytes: Uint8Array): string => `sha1:${base32(createHash('sha1').update(bytes).digest())}`;

/** All records of a file by warcio's reader, each with its digests checked by a second hand. */
async function readBack(path: string): Promise<Read[]> {
  const read: Read[] = [];
  // Not read as HTTP, so that the block is there byte for byte.
  for await (const record of WARCParser.iterRecords([new Uint8Array(readFileSync(path))], { parseHttp: false })) {
    const header = (name: string): string => String(record.warcHeader(name));
    const block = Buffer.from(await record.readFully(false));
    const type: string = record.warcType;
    expect(header('Content-Length')).toBe(String(block.length));
    expect(header('WARC-Block-Digest')).toBe(sha1(block));
    if (type === 'response')
      expect(header('WARC-Payload-Digest')).toBe(sha1(block.subarray(block.indexOf('\r\n\r\n') + 4)));
    read.push({ record, type, header, block });
  }
  return read;
}

const types = (records: readonly Read[]): string => records.map(({ type }) => type).join(' ');
const payloads = (records: readonly Read[]): Buffer[] =>
  records.filter(({ type }) => type === 'response').map(({ block }) => block.subarray(block.indexOf('\r\n\r\n') + 4));

describe('records', () => {
  test('warcinfo, then request and response of each answer, read by warcio with every digest right', async () => {
    const path = newFolder();
    const writer = await WarcWriter.open(path, settings, facts);
    const body = linking('/b', 'http://other.example/');
    const place = await writer.write(
      answer('https://a.example/x?y=1', body, [
        'Content-TYPE', 'text/html', 'Set-Cookie', 'a=1', 'set-cookie', 'b=\xfc',
      ]),
      atMs,
    );
    await writer.write(
      answer('https://a.example/empty', '', ['Content-Length', '0'], {
        status: 404, statusText: '', address: 'fe80::1%eth0',
      }),
      atMs + 1,
    );
    await writer.close();
    expect(readdirSync(path)).toEqual(['crawl-00000.warc.gz']);
    const records = await readBack(join(path, 'crawl-00000.warc.gz'));
    expect(types(records)).toBe('warcinfo request response request response');
    const [info, request, response, , empty] = records;
    expect(info.header('WARC-Filename')).toBe('crawl-00000.warc.gz');
    expect(info.block.toString()).toContain('software: orbweaver/0.1.0\r\noperator: mailto:crawl@a.example\r\n');
    for (const one of [request, response]) {
      expect(one.record.warcTargetURI).toBe('https://a.example/x?y=1');
      expect(one.header('WARC-Date')).toBe('2026-11-21T07:08:09.045Z');
      expect(one.header('WARC-IP-Address')).toBe('192.0.2.7');
      expect(one.header('WARC-Record-ID')).toMatch(/^<urn:uuid:[0-9a-f-]{36}>$/);
    }
    expect(request.header('WARC-Concurrent-To')).toBe(response.header('WARC-Record-ID'));
    expect(response.header('WARC-Concurrent-To')).toBe(request.header('WARC-Record-ID'));
    expect(request.block.toString()).toBe('GET /x?y=1 HTTP/1.1\r\nHost: a.example\r\n\r\n');
    expect(response.block.toString('latin1')).toBe(
      `HTTP/1.1 200 OK\r\nContent-TYPE: text/html\r\nSet-Cookie: a=1\r\nset-cookie: b=\xfc\r\n\r\n${body}`);
    expect(empty.block.toString()).toBe('HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n');
    expect(empty.header('WARC-IP-Address')).toBe('fe80::1');
    expect(new Set(records.map((one) => one.header('WARC-Record-ID'))).size).toBe(5);
    expect(place.end).toBeLessThan(statSync(join(path, 'crawl-00000.warc.gz')).size);
  });

  test('warcio reads the HTTP of it, and our importer the links', async () => {
    const path = newFolder();
    const writer = await WarcWriter.open(path, settings, facts);
    const html = linking('/b', 'http://other.example/ü');
    const sent: [string, Uint8Array, string[]][] = [
      ['plain', Buffer.from(html), []],
      ['chunked', Buffer.from(html), ['Transfer-Encoding', 'chunked']],
      ['gzip', gzipSync(html), ['Content-Encoding', 'gzip', 'Content-Length', String(gzipSync(html).length)]],
      ['br', brotliCompressSync(html), ['content-encoding', 'br', 'transfer-encoding', 'chunked']],
    ];
    for (const [name, body, headers] of sent)
      await writer.write(
        answer(`http://a.example/${name}`, body, ['Content-Type', 'text/html; charset=utf-8', ...headers]),
        atMs,
      );
    await writer.write(
      answer('http://a.example/moved', '', ['Location', '/gzip', 'Content-Length', '512'], {
        status: 301, statusText: 'Moved',
      }),
      atMs,
    );
    await writer.close();
    const archive = join(path, 'crawl-00000.warc.gz');
    await readBack(archive);
    for await (const record of WARCParser.iterRecords([new Uint8Array(readFileSync(archive))])) {
      if (record.warcType !== 'response') continue;
      if (record.httpHeaders?.statusCode === 301) {
        expect([
          record.httpHeaders.headers.get('X-Crawler-Content-Length'), record.warcHeader('WARC-Truncated'),
        ]).toEqual(['512', 'unspecified']);
        // It knows no brotli.
      } else if (record.httpHeaders?.headers.get('content-encoding') !== 'br')
        expect(await record.contentText()).toBe(html);
      expect(record.httpHeaders?.headers.get('transfer-encoding')).toBeNull();
    }
    const graph = await readWarc([archive]);
    const urlOf = (page: number): string => graph.hosts.names.at(graph.hosts.ofPage[page]) + graph.paths!.at(page);
    const links = Array.from({ length: graph.pages }, (_, page) => [
      urlOf(page), ...[...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])].map(urlOf),
    ]);
    const both = ['a.example/b', 'other.example/%C3%BC'];
    expect(links).toEqual([
      ...sent.map(([name]) => [`a.example/${name}`, ...both]),
      ['a.example/moved', 'a.example/gzip'],
      ...both.map((url) => [url]),
    ]);
    expect([...graph.bytes!]).toEqual([...sent.map(([, body]) => body.length), 0, 0, 0]);
  });

  test('hostile texts break no record', async () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 12 });
    const hostile = fc.oneof(
      text, fc.constantFrom('\r\n\r\n', 'a\r\nWARC-Type: warcinfo', '\0', '\u010a\u010d', 'x\n y', ''),
    );
    await fc.assert(fc.asyncProperty(fc.array(fc.record({
      rawHeaders: fc.array(hostile, { maxLength: 6 }).map((texts) => texts.slice(0, texts.length - (texts.length % 2))),
      statusText: hostile, address: hostile, requestHead: hostile, body: fc.uint8Array({ maxLength: 30 }),
      url: hostile.map((path) => `https://a.example/${path}`),
    }), { maxLength: 3 }), hostile, async (answers, fact) => {
      const path = newFolder();
      const writer = await WarcWriter.open(path, settings, { fact });
      await Promise.all(answers.map((one) => writer.write({ ...one, status: 200, body: Buffer.from(one.body) }, atMs)));
      await writer.close();
      if (answers.length === 0) return;
      const records = await readBack(join(path, 'crawl-00000.warc.gz'));
      expect(types(records)).toBe(`warcinfo${' request response'.repeat(answers.length)}`);
      const order = (one: Uint8Array, other: Uint8Array): number => Buffer.compare(one, other);
      expect(payloads(records).sort(order)).toEqual(answers.map(({ body }) => Buffer.from(body)).sort(order));
      for (const { block, record } of records.filter(({ type }) => type === 'response')) {
        expect(record.warcTargetURI).toMatch(/^https:\/\/a\.example\/[\x21-\x7e]*$/);
        expect(block.toString('latin1').split('\r\n\r\n')[0]).not.toContain('\r\nWARC-Type');
      }
    }), { numRuns: isFullSweep ? 30 : 10 });
  });

  const mebibytes = isFullSweep ? 16 : 2;
  test(`a body of ${mebibytes} MiB`, async () => {
    const path = newFolder();
    const writer = await WarcWriter.open(path, settings, facts);
    const words = new Uint32Array(mebibytes << 18);
    const draws = new DrawStream(1, 'body');
    // The half of it does not shrink.
    for (let i = 0; i < words.length / 2; i++) words[i] = draws.uint32(i);
    const body = Buffer.from(words.buffer);
    await writer.write(answer('https://a.example/large', body), atMs);
    await writer.close();
    const [large] = payloads(await readBack(join(path, 'crawl-00000.warc.gz')));
    expect(large.equals(body)).toBe(true);
  });
});

describe('files', () => {
  test('one is begun when the last is long enough; each begins with warcinfo', async () => {
    const path = newFolder();
    const writer = await WarcWriter.open(path, { warcFileBytes: 3000 }, facts);
    const places: WarcPlace[] = [];
    // Some alone, some at once.
    for (let i = 0; i < 4; i++) places.push(await writer.write(answer(`https://a.example/${i}`, String(i)), atMs));
    places.push(
      ...(await Promise.all(
        Array.from({ length: 8 }, (_, i) => writer.write(answer(`https://a.example/${4 + i}`, String(4 + i)), atMs)),
      )),
    );
    await writer.close();
    const names = readdirSync(path).sort();
    expect(names.length).toBeGreaterThan(2);
    let responses = 0;
    for (const [number, name] of names.entries()) {
      expect(name).toBe(`crawl-0000${number}.warc.gz`);
      const records = await readBack(join(path, name));
      expect(types(records)).toMatch(/^warcinfo( request response)+$/);
      expect(records[0].header('WARC-Filename')).toBe(name);
      const size = statSync(join(path, name)).size;
      if (number < names.length - 1) expect(size).toBeGreaterThanOrEqual(3000);
      expect(Math.max(...places.filter(({ file }) => file === number).map(({ end }) => end))).toBe(size);
      responses += payloads(records).length;
    }
    expect(responses).toBe(12);
  });

  test('cut at any byte behind the last known end, and opened again: every record is readable, and it goes on', async () => {
    const path = newFolder();
    const writer = await WarcWriter.open(path, settings, facts);
    const first = await writer.write(answer('https://a.example/0', 'first'), atMs);
    const last = await writer.write(answer('https://a.example/1', 'second'), atMs);
    await writer.close();
    const name = join(path, 'crawl-00000.warc.gz');
    const copy = join(folder, 'copy.warc.gz');
    copyFileSync(name, copy);
    for (
      let length = first.end;
      length <= last.end;
      length += length < last.end - 9 && length > first.end + 9 ? (isFullSweep ? 23 : 230) : 1
    ) {
      copyFileSync(copy, name);
      truncateSync(name, length);
      writeFileSync(join(path, 'crawl-00001.warc.gz'), 'torn');
      writeFileSync(join(path, 'crawl-00002.warc'), 'not ours');
      const again = await WarcWriter.open(path, settings, facts, first);
      expect(readdirSync(path).sort()).toEqual(['crawl-00000.warc.gz', 'crawl-00002.warc']);
      expect(await again.write(answer('https://a.example/2', 'third'), atMs)).toMatchObject({ file: 0 });
      await again.close();
      expect(payloads(await readBack(name)).map(String)).toEqual(['first', 'third']);
    }
  });

  test('without a known end all begins anew; with one, files before it stay', async () => {
    const path = newFolder();
    mkdirSync(path);
    writeFileSync(join(path, 'crawl-00000.warc.gz'), 'torn');
    const writer = await WarcWriter.open(path, { warcFileBytes: 1 }, facts);
    const places: WarcPlace[] = [];
    for (const name of ['a', 'b', 'c'])
      places.push(await writer.write(answer(`https://a.example/${name}`, name), atMs));
    await writer.close();
    expect(places.map(({ file }) => file)).toEqual([0, 1, 2]);
    const again = await WarcWriter.open(path, { warcFileBytes: 1 }, facts, places[1]);
    expect(readdirSync(path).sort()).toEqual(['crawl-00000.warc.gz', 'crawl-00001.warc.gz']);
    expect(await again.write(answer('https://a.example/d', 'd'), atMs)).toMatchObject({ file: 2 });
    await again.close();
    for (const [number, text] of ['a', 'b', 'd'].entries()) {
      expect(payloads(await readBack(join(path, `crawl-0000${number}.warc.gz`))).map(String)).toEqual([text]);
    }
  });

  test('files that are not those spoken of, and folders that cannot be written, are reported', async () => {
    const path = newFolder();
    expect(await inputErrorOf(WarcWriter.open(path, settings, facts, { file: 3, end: 100 }))).toBe(
      `${join(path, 'crawl-00003.warc.gz')}: is missing; the crawl wrote 100 bytes to it`,
    );
    writeFileSync(join(path, 'crawl-00003.warc.gz'), 'short');
    expect(await inputErrorOf(WarcWriter.open(path, settings, facts, { file: 3, end: 100 }))).toContain(
      'was truncated: it has 5 bytes; the crawl wrote 100',
    );
    const isFile = join(path, 'crawl-00003.warc.gz');
    expect(await inputErrorOf(WarcWriter.open(join(isFile, 'x'), settings, facts))).toContain('crawl-00000.warc.gz');
  });

  test('a disk that refuses ends the writing: all that wait are reported', async () => {
    const path = newFolder();
    const writer = await WarcWriter.open(path, settings, facts);
    // Nothing can be opened there from now on.
    rmSync(path, { recursive: true });
    const writes = [1, 2].map((i) => writer.write(answer(`https://a.example/${i}`, ''), atMs));
    for (const written of writes) await expect(written).rejects.toThrow(WorldError);
    mkdirSync(path);
    await expect(writer.write(answer('https://a.example/3', ''), atMs)).rejects.toThrow(
      'crawl-00000.warc.gz: could not be written',
    );
    await writer.close();
  });
});

test.skipIf(process.platform !== 'linux')(
  'on a disk that is full every write fails, then and later, and closing ends',
  async () => {
    const path = newFolder();
    const writer = await WarcWriter.open(path, settings, facts);
    symlinkSync('/dev/full', join(path, 'crawl-00000.warc.gz'));
    for (let i = 0; i < 3; i++) {
      await expect(writer.write(answer('http://a.example/', 'page'), atMs)).rejects.toThrow(
        'crawl-00000.warc.gz: could not be written: ENOSPC',
      );
    }
    await writer.close();
    expect(readdirSync(path)).toEqual([]);
  },
);

test('closed while answers are being written, it has them all', async () => {
  const place = newFolder();
  mkdirSync(place);
  const writer = await WarcWriter.open(place, settings, facts);
  let settled = 0;
  for (let i = 0; i < 5; i++) {
    const count = (): void => { settled++; };
    writer.write(answer(`http://a.example/${i}`, 'x'.repeat(1e5)), atMs).then(count, count);
  }
  await writer.close();
  expect(settled).toBe(5);
  const archives = readdirSync(place).map((name) => readFileSync(join(place, name)));
  expect(archives.join('')).not.toBe('');
});

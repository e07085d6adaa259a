import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  download, thisMachine, type DownloadLimits, type DownloadOptions, type Expected,
} from '../../src/graphs/catalogue/download.ts';
import { httpGet, redirected } from '../../src/graphs/catalogue/http-get.ts';
import { DrawStream, InputError, WorldError } from '../../src/base/index.ts';
import { patientMachine, sendFile, serve, type Handler, type Loopback } from './loopback.ts';
import { selfSignedCertificate, serverKey } from '../live/certificates.ts';
import { isFullSweep } from '../sweep.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Goal: whatever a server does, what stands under the file's name is the file, whole; what came stays for the next
// attempt; each fault is reported once, with its address. Method: real servers on loopback that do each of these;
// waits take no time.

const { folder } = temporaryFolder();

let path: string;
let machine: ReturnType<typeof patientMachine>;
let notes: string[];
beforeEach(() => {
  path = join(mkdtempSync(join(folder, 'd-')), 'file.txt.gz');
  machine = patientMachine();
  notes = [];
});

/** Bytes that do not repeat, so that a piece put at the wrong place is seen. */
function bytesOf(seed: number, length: number): Uint8Array {
  const draws = new DrawStream(seed, 'download test');
  return new Uint8Array(Uint32Array.from({ length: length / 4 }, (_, i) => draws.uint32(i)).buffer);
}
const file = bytesOf(1, 300_000);
const other = bytesOf(2, 300_000);
const sha256 = createHash('sha256').update(file).digest('hex');
const md5 = createHash('md5').update(file).digest('hex');

/** Handlers for the first, second, ... request; the last one for all further. */
function inTurn(...handlers: Handler[]): Handler {
  let turn = 0;
  return (request, response) => handlers[Math.min(turn++, handlers.length - 1)](request, response);
}
const whole: Handler = (request, response) => sendFile(request, response, { bytes: file, etag: '"a"' });
const cut =
  (maxBytes: number): Handler =>
  (request, response) =>
    sendFile(request, response, { bytes: file, etag: '"a"' }, maxBytes);
const status =
  (code: number, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    response.writeHead(code, headers).end('no');

function get(
  server: Loopback, expected: Expected = {}, limits: Partial<DownloadLimits> = {}, more: DownloadOptions = {},
): ReturnType<typeof download> {
  return download(server.at('/file.txt.gz'), path, expected, {
    machine, limits, onNote: (note) => notes.push(note), ...more,
  });
}

async function failure(promise: Promise<unknown>, kind: new (message: string) => Error = InputError): Promise<string> {
  const error: unknown = await promise.then(() => new Error('it was taken'), (reason: unknown) => reason);
  if (!(error instanceof kind)) throw error;
  return error.message;
}

/** Names in the folder of the file. */
const names = (): string[] => readdirSync(join(path, '..')).sort();
function expectWhole(bytes = file): void {
  expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
  expect(names()).toEqual(['file.txt.gz']);
}
function expectNothing(): void {
  expect(names()).toEqual([]);
}

describe('a file that comes', () => {
  test('whole', async () => {
    const server = await serve(whole);
    const progress: [number, number | undefined][] = [];
    expect(
      await get(server, { bytes: file.length, sha256, md5 }, {}, { onProgress: (...of) => progress.push(of) }),
    ).toEqual({ bytes: file.length, sha256, md5 });
    expectWhole();
    expect(notes).toEqual([]);
    expect(progress[0]).toEqual([0, file.length]);
    expect(progress.at(-1)).toEqual([file.length, file.length]);
  });

  test('of a length that the server does not state', async () => {
    const server = await serve(
      (_, response) => void (response.write(file.subarray(0, 1000)), response.end(file.subarray(1000))),
    );
    await get(server, { bytes: file.length });
    expectWhole();
  });

  test('of no bytes', async () => {
    await get(await serve((_, response) => response.end()));
    expectWhole(new Uint8Array(0));
  });

  test('after redirects, relative ones and others', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/file.txt.gz') response.writeHead(302, { location: '/b' }).end();
      else if (request.url === '/b')
        response.writeHead(308, { location: `http://${request.headers.host ?? ''}/c?x=1` }).end();
      else whole(request, response);
    });
    await get(server, { sha256 });
    expectWhole();
    expect(server.asked).toEqual(['GET /file.txt.gz', 'GET /b', 'GET /c?x=1']);
  });

  test('slowly, byte by byte at first', async () => {
    const server = await serve((_, response) => {
      response.setHeader('content-length', file.length);
      let sent = 0;
      const drip = setInterval(() => {
        if (sent < 5) response.write(file.subarray(sent, ++sent));
        else {
          clearInterval(drip);
          response.end(file.subarray(sent));
        }
      }, 20);
    });
    await get(server, { sha256 }, { stallMs: 2000 });
    expectWhole();
    expect(machine.waits).toEqual([]);
  });
});

test('a reader that is slower than the network holds it up', async () => {
  const chunk = Buffer.alloc(1 << 20, 'x');
  let taken = 0;
  const server = await serve((_, response) => {
    for (let i = 0; i < 64; i++) response.write(chunk, () => taken++);
    response.end();
  });
  const answer = await httpGet(server.at('/'), {}, { redirects: 0, stallMs: 10_000 });
  let before = -1;
  // What the system takes for a connection besides is some MiB.
  for (let unchanged = 0; unchanged < 20; unchanged = taken === before ? unchanged + 1 : 0) {
    before = taken;
    await sleep(10);
  }
  expect(taken).toBeLessThan(48);
  let bytes = 0;
  for await (const part of answer.body()) bytes += part.length;
  expect(bytes).toBe(64 << 20);
});

describe('a file that is cut', () => {
  test('goes on where it ended, until it is whole', async () => {
    const server = await serve(inTurn(cut(100_000), cut(50_000), whole));
    await get(server, { sha256 });
    expectWhole();
    expect(server.asked).toEqual([
      'GET /file.txt.gz', 'GET /file.txt.gz bytes=100000-', 'GET /file.txt.gz bytes=150000-',
    ]);
    expect(machine.waits).toEqual([1000, 2000]);
    expect(notes.map((note) => note.replace(/^\S+ /, ''))).toEqual([
      'the connection was cut; again in 1 s (attempt 2 of 6)', 'continues at byte 100000',
      'the connection was cut; again in 2 s (attempt 3 of 6)', 'continues at byte 150000',
    ]);
  });

  test('continues after a body without a stated length that ends early', async () => {
    const server = await serve(inTurn((_, response) => {
      response.setHeader('etag', '"a"').write(file.subarray(0, 70_000), () => response.socket?.end());
    }, whole));
    await get(server, { sha256 });
    expectWhole();
    expect(server.asked[1]).toBe('GET /file.txt.gz bytes=70000-');
    expect(notes[0]).toMatch(/: the connection was cut; again in 1 s/);
  });

  test('goes on in another process, by ETag or Last-Modified', async () => {
    for (const mark of [{ etag: '"a"' }, { etag: 'W/"a"', lastModified: 'Fri, 20 Nov 2020 20:20:20 GMT' }]) {
      path = join(mkdtempSync(join(folder, 'd-')), 'file.txt.gz');
      const server = await serve(inTurn(
        (request, response) => sendFile(request, response, { bytes: file, ...mark }, 123_456),
        status(503),
        (request, response) => sendFile(request, response, { bytes: file, ...mark }),
      ));
      expect(await failure(get(server, { sha256 }, { attempts: 2 }), WorldError)).toMatch(
        /file\.txt\.gz: the server answers 503, 2 times in a row; the 123456 bytes received are stored in \S+file\.txt\.gz\.part, and fetching again continues from there$/,
      );
      expect(names()).toEqual(['file.txt.gz.part', 'file.txt.gz.part.json']);
      await get(server, { sha256 });
      expect(server.asked.at(-1)).toBe('GET /file.txt.gz bytes=123456-');
      expectWhole();
    }
  });

  test('begins anew where the server ignores ranges', async () => {
    const server = await serve(
      inTurn(cut(1000), (_, response) =>
        response.writeHead(200, { etag: '"a"', 'content-length': file.length }).end(file),
      ),
    );
    await get(server, { sha256 });
    expectWhole();
    expect(notes[1]).toMatch(/: the server sends only whole files: starts again$/);
  });

  test('begins anew where the file has changed', async () => {
    const server = await serve(
      inTurn(cut(1000), (request, response) => sendFile(request, response, { bytes: other, etag: '"b"' })),
    );
    await get(server);
    expectWhole(other);
    expect(notes[1]).toMatch(/: the file has changed since: starts again$/);
  });

  test('begins anew where the server says that it goes on and does not', async () => {
    const wrong: [string, Record<string, string>][] = [
      ['another start', { 'content-range': 'bytes 5-299999/300000' }],
      ['no range stated', {}],
      ['a malformed range', { 'content-range': 'lines 1000-/300000' }],
      ['another file', { 'content-range': 'bytes 1000-299999/300000', etag: '"b"' }],
    ];
    for (const [, headers] of wrong) {
      path = join(mkdtempSync(join(folder, 'd-')), 'file.txt.gz');
      await get(await serve(inTurn(cut(1000), (_, response) => response.writeHead(206, headers).end(other), whole)), {
        sha256,
      });
      expectWhole();
      expect(notes.at(-1)).toMatch(/: the server does not continue at byte 1000: starts again$/);
    }
  });

  test('starts again if no mark distinguishes files', async () => {
    const server = await serve((request, response) =>
      sendFile(request, response, { bytes: file }, server.asked.length === 1 ? 1000 : Infinity),
    );
    await get(server, { sha256 });
    expectWhole();
    expect(server.asked).toEqual(['GET /file.txt.gz', 'GET /file.txt.gz']);
    expect(notes[1]).toMatch(/: the server sent no mark that distinguishes its files: starting again$/);
  });

  test('begins anew where the part is of another address, or its origin is damaged', async () => {
    for (const origin of ['{"url":"http://127.0.0.1/other","etag":"\\"a\\""}', '{"url":', undefined]) {
      path = join(mkdtempSync(join(folder, 'd-')), 'file.txt.gz');
      writeFileSync(`${path}.part`, other.subarray(0, 1000));
      if (origin !== undefined) writeFileSync(`${path}.part.json`, origin);
      const server = await serve(whole);
      await get(server, { sha256 });
      expectWhole();
      expect(server.asked).toEqual(['GET /file.txt.gz']);
    }
  });

  test('is done where all of it had come: 416', async () => {
    const server = await serve(whole);
    writeFileSync(`${path}.part`, file);
    writeFileSync(`${path}.part.json`, JSON.stringify({ url: server.at('/file.txt.gz'), etag: '"a"' }));
    await get(server, { sha256 });
    expectWhole();
    expect(server.asked).toEqual(['GET /file.txt.gz bytes=300000-']);
  });

  test('begins anew where more had come than there is: 416', async () => {
    const server = await serve(whole);
    writeFileSync(`${path}.part`, Buffer.concat([file, other]));
    writeFileSync(`${path}.part.json`, JSON.stringify({ url: server.at('/file.txt.gz'), etag: '"a"' }));
    await get(server, { sha256 });
    expectWhole();
    expect(server.asked).toEqual(['GET /file.txt.gz bytes=600000-', 'GET /file.txt.gz']);
  });

  test('anywhere, by a server that does anything, is whole in the end or an error', async () => {
    // The dullest model: whatever happens, the file under its name is one of the two that the server has, whole.
    const draws = new DrawStream(20080729, 'any server');
    for (let round = 0; round < (isFullSweep ? 60 : 20); round++) {
      path = join(mkdtempSync(join(folder, 'd-')), 'file.txt.gz');
      let now = { bytes: file, etag: '"a"' };
      let requests = 0;
      const server = await serve((request, response) => {
        const draw = draws.uniform(round, requests++);
        if (draw < 0.1) now = now.bytes === file ? { bytes: other, etag: '"b"' } : { bytes: file, etag: '"a"' };
        if (draw < 0.2) status(503)(request, response);
        else if (draw < 0.3) response.socket?.destroy();
        else if (draw < 0.4) response.writeHead(206, { etag: now.etag }).end('nonsense');
        else if (draw < 0.5)
          response.writeHead(200, { etag: now.etag, 'content-length': now.bytes.length }).end(now.bytes);
        else
          sendFile(
            request, response, now, draw < 0.9 ? Math.floor(draws.uniform(round, requests + 1000) * 400_000) : Infinity,
          );
      });
      const error: unknown = await get(server).then(() => undefined, (reason: unknown) => reason);
      if (error !== undefined)
        expect(error instanceof WorldError || error instanceof InputError, (error as Error).stack).toBe(true);
      expect(existsSync(path)).toBe(error === undefined);
      if (error === undefined) {
        const bytes = readFileSync(path);
        expect([file, other].some((one) => Buffer.compare(bytes, one) === 0), `round ${round}`).toBe(true);
        expect(names()).toEqual(['file.txt.gz']);
      }
    }
  });
});

describe('faults that may pass', () => {
  test('503 twice, then the file', async () => {
    await get(await serve(inTurn(status(503), status(503, { 'retry-after': '7' }), whole)), { sha256 });
    expectWhole();
    expect(machine.waits).toEqual([1000, 7000]);
    expect(notes[0]).toMatch(/: the server answers 503; again in 1 s \(attempt 2 of 6\)$/);
  });

  test('too many of them', async () => {
    const server = await serve(status(429, { 'retry-after': '999999' }));
    expect(await failure(get(server, {}, { longestBackOffMs: 5000 }), WorldError)).toMatch(
      /: the server answers 429, 6 times in a row; nothing has come$/,
    );
    expect(machine.waits).toEqual([5000, 5000, 5000, 5000, 5000]);
    expectNothing();
  });

  test('attempts that get on are not counted', async () => {
    const long = bytesOf(3, 3 << 20);
    const server = await serve((request, response) =>
      sendFile(request, response, { bytes: long, etag: '"l"' }, (1 << 20) + 1),
    );
    await get(server, {}, { attempts: 2 });
    expectWhole(long);
  });

  test('a server that stalls, before and within the body', async () => {
    const server = await serve(
      inTurn(
        () => undefined,
        (_, response) =>
          void response.writeHead(200, { etag: '"a"', 'content-length': file.length }).write(file.subarray(0, 5000)),
        whole,
      ),
    );
    await get(server, { sha256 }, { stallMs: 60 });
    expectWhole();
    expect(notes.filter((note) => note.includes('nothing came for 0.06 s'))).toHaveLength(2);
    expect(server.asked[2]).toMatch(/bytes=5000-$/);
  });

  test('no server at all', async () => {
    const server = await serve(whole);
    const nobody = server.at('/').replace(/:\d+\//, ':9/');
    expect(await failure(download(nobody, path, {}, { machine, limits: { attempts: 2 } }), WorldError)).toMatch(
      /no connection \(ECONNREFUSED\), 2 times in a row; nothing has come$/,
    );
    expectNothing();
  });

  test('an end by the signal keeps the part', async () => {
    const stop = new AbortController();
    const server = await serve(inTurn((_, response) => {
      response.writeHead(200, { etag: '"a"', 'content-length': file.length }).write(file.subarray(0, 5000));
    }, whole));
    const ended = get(server, {}, {}, { signal: stop.signal, onProgress: (bytes) => bytes === 5000 && stop.abort() });
    await expect(ended).rejects.toThrow('aborted');
    expect(names()).toEqual(['file.txt.gz.part', 'file.txt.gz.part.json']);
    await get(server, { sha256 });
    expect(server.asked[1]).toMatch(/bytes=5000-$/);
    expectWhole();
  });
});

test('the signal ends a wait', async () => {
  const stop = new AbortController();
  const server = await serve(status(503));
  // With the machine's own wait: it would take a minute.
  const ended = get(
    server, {}, { backOffMs: 60_000 },
    { machine: thisMachine, signal: stop.signal, onNote: () => setImmediate(() => stop.abort()) },
  );
  await expect(ended).rejects.toThrow('aborted');
  expectNothing();
});

describe('what is refused', () => {
  const refusals: [string, Handler, Expected, RegExp][] = [
    ['404', status(404), {}, /file\.txt\.gz: the server answers 404 Not Found$/],
    ['204', (_, response) => response.writeHead(204).end(), {}, /the server answers 204/],
    ['206 to a request for the whole', status(206), {}, /the server answers 206 though the whole file was asked for$/],
    ['416 to a request for the whole', status(416), {}, /the server answers 416 though/],
    [
      'redirects without end', status(301, { location: '/file.txt.gz' }), {},
      /: redirects more than 5 times, at last to "\/file\.txt\.gz"$/,
    ],
    [
      'a redirect to a file',
      status(302, { location: 'file:///etc/passwd' }),
      {},
      /: redirects to "file:\/\/\/etc\/passwd", which is not an http or https address$/,
    ],
    [
      'a redirect to nowhere',
      status(302, { location: 'http://' }),
      {},
      /: redirects to "http:\/\/", which is not an http or https address/,
    ],
    [
      'a redirect with a password', status(302, { location: 'http://a:b@127.0.0.1/' }), {},
      /which is not an http or https address/,
    ],
    ['a redirect without a place', status(302), {}, /the server answers 302 Found$/],
    [
      'another length', whole, { bytes: 299_999 },
      /: has 300000 bytes by its server, 299999 by the catalogue; it was not fetched$/,
    ],
    ["a length beyond a list's", whole, { maxBytes: 1000 }, /: has 300000 bytes; a list has 1000 at most$/],
    [
      'more than expected, without a stated length', (_, response) => void (response.write(file), response.end(file)),
      { bytes: 299_999 }, /: more than 299999 bytes came; they were discarded$/,
    ],
    [
      'less than expected, without a stated length', (_, response) => void (response.write(file), response.end()),
      { bytes: 300_001 }, /: 300000 bytes came, not 300001 as the catalogue says; they were discarded$/,
    ],
    [
      'a wrong SHA-256', whole, { sha256: '0'.repeat(64) },
      /: what came has the sha256 [0-9a-f]{64}, not 0{64} as published; it was discarded$/,
    ],
    [
      'a wrong MD5', whole, { md5: '0'.repeat(32) },
      /: what came has the md5 [0-9a-f]{32}, not 0{32} as published; it was discarded$/,
    ],
  ];
  test.each(refusals)('%s', async (_, handler, expected, says) => {
    const server = await serve(handler);
    const message = await failure(get(server, expected));
    expect(message).toMatch(says);
    expect(message.startsWith(server.at('/file.txt.gz'))).toBe(true);
    expectNothing();
    expect(machine.waits).toEqual([]);
  });

  test('a content coding that was not asked for, unless it is that of the file', async () => {
    const coded: Handler = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': file.length }).end(file);
    const server = await serve(coded);
    expect(await failure(download(server.at('/x.graph'), path, {}, { machine }))).toMatch(
      /x\.graph: comes in the content coding "gzip", though none was asked for$/,
    );
    await get(server, { sha256 });
    expectWhole();
  });

  test('a file for which the disk has no room', async () => {
    machine = patientMachine(299_999);
    expect(await failure(get(await serve(whole)), WorldError)).toMatch(
      /: 300000 bytes are still to come, and \S+ has room for 299999$/,
    );
    expectNothing();
  });

  test('a redirect from https to http, but not the other way', () => {
    const to = (from: string, location: string): string => redirected('the file', new URL(from), location).href;
    expect(to('http://a.example/x/y', 'https://b.example/')).toBe('https://b.example/');
    expect(to('https://a.example/x/y', '../z#part')).toBe('https://a.example/z');
    expect(to('https://a.example/x', '//b.example/z')).toBe('https://b.example/z');
    expect(() => to('https://a.example/x', 'http://a.example/x')).toThrow(
      /^the file: redirects from https to "http:\/\/a\.example\/x"/,
    );
  });

  test('a certificate that is not valid', async () => {
    const server = createServer({ key: serverKey, cert: selfSignedCertificate });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}/file.txt.gz`;
    expect(await failure(download(url, path, {}, { machine }), WorldError)).toBe(`${url}: self-signed certificate`);
    expectNothing();
    await new Promise((resolve) => server.close(resolve));
  });

  test('what is no HTTP', async () => {
    const server = await serve((_, response) => response.socket?.end('SSH-2.0-x\r\n'));
    expect(await failure(get(server), WorldError)).toMatch(/file\.txt\.gz: Response does not match the HTTP/);
    expectNothing();
  });
});

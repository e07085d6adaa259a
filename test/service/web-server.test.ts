import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebServer, type Reply, type Site } from '../../src/views/service/index.ts';
import { errorReply } from '../../src/views/service/web/site.ts';
import { abandon, exchange, get, serving } from './asking.ts';

// Goal: whatever comes in, the server answers as HTTP asks, reports how each request ended, and lives on.

const text = (body: string, more: Partial<Reply> = {}): Reply => ({
  status: 200, headers: ['Content-Type', 'text/plain'], bytes: body.length, body: [Buffer.from(body)], beginsAfterUs: 0,
  bytesPerUs: Infinity, ...more,
});

async function* pieces(...all: string[]): AsyncGenerator<Uint8Array> {
  for (const piece of all) yield await Promise.resolve(Buffer.from(piece));
}

const site: Site = {
  name: 'test',
  hasHost: (host) => host === 'a.example' || host === 'b.example:8080',
  reply({ host, path }) {
    switch (path) {
      case '/silent':
        return { resetAfterUs: 60e6 };
      case '/reset':
        return { resetAfterUs: 1000 };
      case '/late':
        return text('late', { beginsAfterUs: 50_000 });
      case '/slow':
        return text('x'.repeat(4000), { bytesPerUs: 0.04 });
      case '/pieces':
        return text('', { bytes: 6, body: pieces('abc', 'def') });
      case '/longer':
        return text('', { bytes: 4, body: pieces('abc', 'def') });
      case '/shorter':
        return text('', { bytes: 10, body: pieces('abc', 'def') });
      case '/rejects':
        return Promise.reject(new Error('a fault of the site'));
      case '/busy':
        // What comes after the answer keeps the server from hearing that it was sent.
        process.nextTick(() => { clock.nowMs += 40; });
        return text('busy');
      case '/error':
        return errorReply(404, 'Not Found', 5000);
      default:
        return text(`${host}${path}`);
    }
  },
};

/** For the answer of a server that is then busy. */
const clock = { nowMs: 0 };

describe('hosts', () => {
  test('are reported by the Host header, or by the URL where it is whole', async () => {
    const { server, log } = await serving(site);
    const bodyOf = async (url: string): Promise<string> => (await get(server, url)).body.toString();
    expect(await bodyOf('http://a.example/x?y')).toBe('a.example/x?y');
    expect(await bodyOf('http://A.Example/x')).toBe('a.example/x');
    expect(await bodyOf('http://a.example:80/x')).toBe('a.example/x');
    expect(await bodyOf(`http://a.example:${server.port}/x`)).toBe('a.example/x');
    expect(await bodyOf('http://b.example:8080/x')).toBe('b.example:8080/x');
    expect(
      await exchange(server, 'GET http://a.example/y HTTP/1.1\r\nHost: b.example:8080\r\nConnection: close\r\n\r\n'),
    ).toMatch(/a\.example\/y$/);
    expect(log.map(({ host, path }) => host + path)).toEqual([
      'a.example/x?y', 'a.example/x', 'a.example/x', 'a.example/x', 'b.example:8080/x', 'a.example/y',
    ]);
  });

  test('that the site does not have are 404', async () => {
    const { server } = await serving(site);
    for (const host of ['c.example', 'b.example', '127.0.0.1', `b.example:${server.port}`]) {
      const { status, body } = await get(server, `http://${host}/`);
      expect({ status, body: body.toString() }).toEqual({
        status: 404, body: '<!doctype html>\n<title>404 No such host</title>\n',
      });
    }
    expect(await exchange(server, 'GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await exchange(server, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 404 /);
  });
});

describe('methods', () => {
  test('HEAD is GET without a body', async () => {
    const { server, log } = await serving(site);
    const { status, headers, body } = await get(server, 'http://a.example/abc', { method: 'HEAD' });
    expect({ status, length: headers['content-length'], body: body.length }).toEqual({
      status: 200, length: '13', body: 0,
    });
    expect(log).toMatchObject([{ method: 'HEAD', bytes: 0, end: 'sent' }]);
    expect((await get(server, 'http://a.example/pieces', { method: 'HEAD' })).headers['content-length']).toBe('6');
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH'])('%s is 405', async (method) => {
    const { server, log } = await serving(site);
    const { status, headers } = await get(server, 'http://a.example/', { method });
    expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: 'GET, HEAD' });
    expect(log).toMatchObject([{ method, status: 405, end: 'sent' }]);
  });
});

describe('connections', () => {
  test('are reused, and numbered', async () => {
    const { server, log } = await serving(site);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 3; i++) await get(server, `http://a.example/${i}`, { agent });
    await get(server, 'http://a.example/3');
    agent.destroy();
    expect(log.map(({ connection, path }) => [connection, path])).toEqual([[0, '/0'], [0, '/1'], [0, '/2'], [1, '/3']]);
    for (let i = 1; i < log.length; i++) expect(log[i].startedAtUs).toBeGreaterThanOrEqual(log[i - 1].endedAtUs);
    for (const { startedAtUs, endedAtUs } of log) expect(endedAtUs).toBeGreaterThanOrEqual(startedAtUs);
  });

  test('are closed at once where that is asked for, and when idle for the time given', async () => {
    const at0 = await serving(site, { keepAliveSeconds: 0 });
    expect(
      (await get(at0.server, 'http://a.example/', { agent: new Agent({ keepAlive: true }) })).headers['connection'],
    ).toBe('close');
    const short = await serving(site, { keepAliveSeconds: 0.1 });
    const socket = connect(short.server.port, '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n'),
    );
    const answered = new Promise((resolve) => socket.once('data', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await answered;
    await closed;
    expect(short.log).toMatchObject([{ status: 200, end: 'sent' }]);
  });

  test('pipelined requests are answered in their order', async () => {
    const { server } = await serving(site);
    const asked = ['/late', '/1', '/2'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a.example\r\n\r\n`).join('');
    const answers = await exchange(server, asked, 300);
    expect([...answers.matchAll(/\r\n\r\n(late|a\.example\/\d)/g)].map(([, body]) => body)).toEqual([
      'late', 'a.example/1', 'a.example/2',
    ]);
  });

  test('with too many requests that wait are broken off', async () => {
    const { server, log } = await serving(site);
    expect(await exchange(server, 'GET /silent HTTP/1.1\r\nHost: a.example\r\n\r\n'.repeat(150), 2000)).toBe('');
    expect(log.length).toBe(101);
    for (const { status, end } of log) expect({ status, end }).toEqual({ status: 0, end: 'destroyed' });
    expect((await get(server, 'http://a.example/')).status).toBe(200);
  });
});

describe('requests that cannot be read', () => {
  test.each([
    ['noise', '\x00\x01\x02\x03\r\n\r\n', 400],
    ['a bad version', 'GET / HTTP/9.9\r\nHost: a.example\r\n\r\n', 400],
    ['a bare line feed in a name', 'GET / HTTP/1.1\r\nHo\nst: a.example\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['a huge header', `GET / HTTP/1.1\r\nHost: a.example\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['a huge path', `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: a.example\r\n\r\n`, 431],
  ])('%s', async (_, bytes, status) => {
    const { server, log } = await serving(site);
    expect(await exchange(server, bytes, 1000)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\n\r\n$`));
    expect(log).toMatchObject([{ connection: 0, host: '', path: '', status, end: 'sent' }]);
    expect((await get(server, 'http://a.example/')).status).toBe(200);
  });

  test('within an answer break it off', async () => {
    const { server, log } = await serving(site);
    expect(await exchange(server, 'GET /silent HTTP/1.1\r\nHost: a.example\r\n\r\nnoise\r\n\r\n', 1000)).toBe('');
    await expect
      .poll(() => log.map(({ path, end }) => [path, end]).sort())
      .toEqual([
        ['', 'destroyed'], ['/silent', 'destroyed'],
      ]);
  });

  test('nothing that random bytes do ends the server', async () => {
    const { server } = await serving(site);
    const whole =
      'GET /x HTTP/1.1\r\nHost: a.example\r\nContent-Length: 3\r\n\r\nabcHEAD /y HTTP/1.1\r\nHost: b.example:8080\r\n\r\n';
    for (let i = 0; i < 60; i++) {
      const bytes = Buffer.from(whole);
      for (let j = 0; j <= i % 5; j++) bytes[(i * 7919 + j * 104_729) % bytes.length] = (i * 31 + j * 17) % 256;
      await exchange(server, bytes, 10);
    }
    expect((await get(server, 'http://a.example/')).status).toBe(200);
  });
});

describe('answers', () => {
  test('begin when they are to, and come as fast as they are to', async () => {
    const { server } = await serving(site);
    expect((await get(server, 'http://a.example/late')).headersAfterMs).toBeGreaterThanOrEqual(49);
    const slow = await get(server, 'http://a.example/slow');
    // 4000 bytes at 40 a millisecond.
    expect(slow.afterMs).toBeGreaterThanOrEqual(98);
    expect(slow.body.length).toBe(4000);
  });

  test('made piece by piece have the length reported, or break off', async () => {
    const { server, log } = await serving(site);
    expect((await get(server, 'http://a.example/pieces')).body.toString()).toBe('abcdef');
    expect((await get(server, 'http://a.example/longer')).body.toString()).toBe('abcd');
    await expect(get(server, 'http://a.example/shorter')).rejects.toThrow();
    expect(log.map(({ bytes, end }) => [bytes, end])).toEqual([[6, 'sent'], [4, 'sent'], [6, 'destroyed']]);
  });

  test('that a site fails to give are 500', async () => {
    const { server } = await serving(site);
    expect((await get(server, 'http://a.example/rejects')).status).toBe(500);
  });

  test('of errors are as long as asked for', async () => {
    const { server } = await serving(site);
    const { status, body } = await get(server, 'http://a.example/error');
    expect({ status, bytes: body.length }).toEqual({ status: 404, bytes: 5000 });
    for (const bytes of [49, 50, 56, 57, 58, 100, 65_536, 70_000, 200_000]) {
      const reply = errorReply(404, 'Not Found', bytes);
      const all = Buffer.concat(reply.body as Uint8Array[]);
      expect(all.length).toBe(bytes);
      expect(all.toString()).toMatch(/^<!doctype html>\n<title>404 Not Found<\/title>\n(\n{0,7}|<!--[.\n]*-->\n)$/);
    }
  });
});

describe('ends', () => {
  // A client that counts its delay from the last byte is not too soon because the server is busy.
  test('are when the system has the last byte, not when the server hears of it', async () => {
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock.nowMs);
    onTestFinished(() => { now.mockRestore(); });
    const { server, log } = await serving(site);
    expect((await get(server, 'http://a.example/busy')).afterMs).toBe(40);
    expect(log[0]).toMatchObject({ path: '/busy', end: 'sent', bytes: 4 });
    expect(log[0].endedAtUs - log[0].startedAtUs).toBe(0);
  });

  test('that are resets, and silence until the client goes', async () => {
    const { server, log } = await serving(site);
    await expect(get(server, 'http://a.example/reset')).rejects.toMatchObject({ code: 'ECONNRESET' });
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write('GET /silent HTTP/1.1\r\nHost: a.example\r\n\r\n'),
    );
    await sleep(50);
    socket.destroy();
    await expect.poll(() => log.map(({ path, status, end }) => [path, status, end])).toEqual([
      ['/reset', 0, 'destroyed'], ['/silent', 0, 'closed by client'],
    ]);
  });

  test('a client that goes in the middle of a body', async () => {
    const { server, log } = await serving(site);
    await abandon(server, 'GET /slow HTTP/1.1\r\nHost: a.example\r\n\r\n');
    await expect.poll(() => log).toMatchObject([{ path: '/slow', status: 200, end: 'closed by client' }]);
    expect(log[0].bytes).toBeLessThan(4000);
  });

  test('closing the server aborts what is in progress, and reports it', async () => {
    const { server, log } = await serving(site);
    const asked = ['/silent', '/late', '/slow'].map((path) =>
      get(server, `http://a.example${path}`).then(
        () => 'answered', () => 'broken off',
      ),
    );
    await expect.poll(async () => (await get(server, 'http://a.example/')).status).toBe(200);
    await server.close();
    expect(await Promise.all(asked)).toEqual(['broken off', 'broken off', 'broken off']);
    expect(
      log
        .filter(({ end }) => end === 'destroyed')
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['/late', '/silent', '/slow']);
    await expect(get(server, 'http://a.example/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await server.close();
  });
});

test('an address or a port that cannot be had is bad input', async () => {
  const { server } = await serving(site);
  await expect(WebServer.listen(site, { port: server.port })).rejects.toThrow(
    `127.0.0.1:${server.port}: is in use; name another port, or none`,
  );
  await expect(WebServer.listen(site, { address: '192.0.2.1' })).rejects.toThrow(
    '192.0.2.1:0: is not an address of this machine',
  );
});

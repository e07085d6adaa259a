import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fetcher, header, type Answer, type Fault, type FaultReason } from '../../../src/core/live/index.ts';
import type { LiveInput } from '../../../src/core/live/settings.ts';
import { authority } from '../certificates.ts';
import { changingDns, HostileServer } from '../hostile-server.ts';
import { loopbackSettings } from './settings.ts';

// Goal: whatever a host does, the fetcher says it by name, within bounds that the host's own count confirms, and goes
// on. Method: one host name for each fault, so that all run at once; after each fault the same host is asked for a
// good page.

let server: HostileServer;
beforeAll(async () => { server = await HostileServer.open(); });
afterAll(async () => { await server.close(); });

const fetchers: Fetcher[] = [];
afterAll(async () => { for (const fetcher of fetchers) await fetcher.close(); });

async function newFetcher(
  input: Partial<LiveInput> = {}, port: number | undefined = server.port,
): Promise<Fetcher> {
  const fetcher = await Fetcher.open(loopbackSettings(port, input), { authorities: authority });
  fetchers.push(fetcher);
  return fetcher;
}

const takesBodies = () => 'body' as const;

/** Fetches a path of a host of its own, and a good page from it after that. */
async function meet(
  fetcher: Fetcher, path: string, wants: Parameters<Fetcher['fetch']>[1] = takesBodies,
): Promise<Answer | Fault> {
  const origin = `http://${path.split('/')[0].replace('.', '-')}.test`;
  const end = await fetcher.fetch(`${origin}/${path}`, wants);
  if ('status' in end) fetcher.release(end);
  const next = await fetcher.fetch(`${origin}/good`, takesBodies);
  expect(next, `after ${path}`).toMatchObject({ status: 200 });
  fetcher.release(next as Answer);
  return end;
}

const faults: Readonly<Record<string, FaultReason>> = {
  'endless-body': 'body too long',
  'endless-chunks': 'body too long',
  'long-promise': 'body too long',
  'stopped-body': 'body time-out',
  'slow-body': 'download time-out',
  'slow-head': 'headers time-out',
  silent: 'headers time-out',
  'header-bomb': 'headers too long',
  'header-long': 'headers too long',
  'too-short': 'wrong length',
  'too-short-close': 'wrong length',
  'two-lengths': 'malformed answer',
  // undici 7.30 cannot read these: README.md says so.
  'equal-lengths': 'malformed answer',
  'length-list': 'malformed answer',
  'folded-header': 'malformed answer',
  'length-and-chunked': 'malformed answer',
  'negative-length': 'malformed answer',
  'bad-chunk': 'malformed answer',
  'huge-chunk': 'malformed answer',
  'cut-chunks': 'wrong length',
  garbage: 'malformed answer',
  'http-0.9': 'malformed answer',
  'status-bad': 'malformed answer',
  splitting: 'malformed answer',
  'header-nul': 'malformed answer',
  'header-bare-cr': 'malformed answer',
  informational: 'malformed answer',
  upgrade: 'malformed answer',
  'reset-before-head': 'connection reset',
  'close-before-head': 'connection reset',
  'reset-in-head': 'connection reset',
  'close-in-head': 'connection reset',
  'reset-in-body': 'connection reset',
  'reset-in-closing-body': 'connection reset',
  'reset-in-chunks': 'connection reset',
  'reset-in-unframed': 'connection reset',
};

/** The one time-out that is met. Above a second, undici counts ticks, which do not pass while this process is busy. */
const timeouts: Partial<Record<FaultReason, Partial<LiveInput>>> = {
  'headers time-out': { headersTimeoutMs: 1100 },
  'body time-out': { bodyTimeoutMs: 1100 },
  'download time-out': { downloadTimeoutMs: 1500 },
};

describe('each fault has its name, and the host is asked again', () => {
  test.concurrent.each(Object.entries(faults))('%s: %s', async (path, reason) => {
    server.everyMs = 200;
    const fetcher = await newFetcher(timeouts[reason]);
    expect(await meet(fetcher, path)).toMatchObject({ reason });
    expect(fetcher.heldBytes).toBe(0);
  });

  test.concurrent('a status line without end is answered by the time-out, or taken for what it is', async () => {
    const end = await meet(await newFetcher(timeouts['headers time-out']), 'status-line-long');
    expect(['headers time-out', 'headers too long', 'malformed answer']).toContain(
      'reason' in end ? end.reason : end.status,
    );
  });
});

const bodies: Readonly<Record<string, string>> = {
  chunked: 'hello world',
  unframed: 'hello world',
  'early-hints': '<!doctype html><title>page</title>',
  'too-long': 'hello',
  'no-content-with-body': '',
  'no-content-with-more': '',
  'not-modified-with-length': '',
  missing: 'nothing here',
};

describe('what is odd and no fault is an answer', () => {
  test.concurrent.each(Object.entries(bodies))('%s', async (path, body) => {
    const end = await meet(await newFetcher(), path);
    expect('status' in end && end.body.toString()).toBe(body);
  });
});

test('a gzip bomb is an answer of few bytes: to defuse it is for whoever decodes it', async () => {
  const end = await meet(await newFetcher(), 'gzip-bomb');
  expect('status' in end && end.body.length).toBeLessThan(70_000);
});

describe('what is wanted of an answer', () => {
  test.concurrent('headers alone: a small body keeps the connection, a large one ends it, a stopped one is no fault', async () => {
    const alone = () => 'headers alone' as const;
    const fetcher = await newFetcher(timeouts['body time-out']);
    for (const [path, sameConnection] of [
      ['missing', true], ['missing-long', false], ['endless-body', false], ['redirect-stopped', false],
      ['reset-in-body', false], ['too-short', false], ['redirect', true],
    ] as const) {
      const end = await meet(fetcher, `${path}/alone`, alone);
      expect(end, path).toMatchObject({ body: Buffer.alloc(0) });
      const connections = server.asked
        .filter(({ host, path: asked }) => host === `${path}.test` && /alone|good/.test(asked))
        .slice(-2);
      expect(connections[0].connection === connections[1].connection, path).toBe(sameConnection);
    }
  });

  test.concurrent('the first bytes: all where there are no more', async () => {
    const fetcher = await newFetcher();
    for (const bytes of [0, 1, 4, 5, 10, 11, 12, 100]) {
      for (const path of ['chunked', 'unframed', 'endless-body']) {
        const end = await meet(fetcher, `${path}/first`, () => bytes);
        const whole = path === 'endless-body' ? 'a'.repeat(100) : 'hello world';
        expect('status' in end && end.body.toString(), `${bytes} of ${path}`).toBe(whole.slice(0, bytes));
      }
    }
    expect(fetcher.heldBytes).toBe(0);
  });

  test.concurrent('nothing: the reason is the fault\'s', async () => {
    const refuse = () => 'type not taken' as const;
    for (const path of ['image', 'image-long']) {
      const end = await meet(await newFetcher(), path, refuse);
      expect(end).toEqual({ reason: 'type not taken', detail: '', bytes: 0 });
    }
  });

  test.concurrent('what `wants` throws is the caller\'s, and the fetcher goes on', async () => {
    const fetcher = await newFetcher();
    await expect(
      fetcher.fetch('http://throws.test/good', () => {
        throw new RangeError('mine');
      }),
    ).rejects.toThrow('mine');
    expect(await meet(fetcher, 'good')).toMatchObject({ status: 200 });
  });
});

describe('bounds, by the count of the host', () => {
  test('no connection was opened that nothing was asked on', () => {
    expect(new Set(server.asked.map(({ connection }) => connection)).size).toBe(server.connections);
  });

  test('what never ends is left soon after its limit', async () => {
    const own = await HostileServer.open();
    try {
      const fetcher = await newFetcher({}, own.port);
      const endless = ['endless-body', 'endless-chunks', 'header-bomb', 'header-long', 'informational'];
      await Promise.all(endless.map((path) => meet(fetcher, path)));
      expect(await fetcher.fetch('http://robots-huge.test/robots.txt', takesBodies)).toMatchObject({
        reason: 'body too long',
      });
      const first = await fetcher.fetch('http://robots-huge.test/robots.txt', () => 500 << 10) as Answer;
      expect(first.body.length).toBe(500 << 10);
      expect(first.body.toString()).toMatch(/^user-agent: \*\ndisallow: \/denied\n/);
      await fetcher.close();
      // What the system's buffers of a connection take in advance is no part of the limit: some MiB each.
      expect(own.sentBytes).toBeLessThan(7 * (8 << 20));
    } finally {
      await own.close();
    }
  });

  test('above maxOpenBodiesBytes, a download waits until an answer is released', async () => {
    const fetcher = await newFetcher({ maxOpenBodiesBytes: 1 << 20, bodyLimitBytes: 4 << 20 });
    const large = await fetcher.fetch('http://large.test/missing-long', takesBodies);
    expect(large).toMatchObject({ status: 404 });
    expect(fetcher.heldBytes).toBeGreaterThanOrEqual(1 << 20);
    let isDone = false;
    const waiting = fetcher.fetch('http://waiting.test/good', takesBodies).then((end) => {
      isDone = true;
      return end;
    });
    await fetcher.addressOf('http://waiting.test/');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isDone).toBe(false);
    expect(server.asked.some(({ host }) => host === 'waiting.test')).toBe(false);
    fetcher.release(large as Answer);
    fetcher.release(large as Answer);
    const end = await waiting;
    expect(end).toMatchObject({ status: 200 });
    fetcher.release(end as Answer);
    expect(fetcher.heldBytes).toBe(0);
  });

  test('chunks of a byte each are held as bytes', async () => {
    const fetcher = await newFetcher({ bodyLimitBytes: 1 << 20 });
    let maxBytes = 0;
    const watch = setInterval(() => { maxBytes = Math.max(maxBytes, fetcher.heldBytes); }, 1);
    const end = await fetcher.fetch('http://bytes.test/endless-chunks', takesBodies);
    expect(end).toMatchObject({ reason: 'body too long', bytes: (1 << 20) + 1 });
    clearInterval(watch);
    expect(maxBytes).toBeLessThanOrEqual(2 << 20);
    expect(fetcher.heldBytes).toBe(0);
  });

  test('one connection an origin, one request at a time on it, and few connections in all', async () => {
    const fetcher = await newFetcher();
    const before = server.asked.length;
    await Promise.all(Array.from({ length: 10 }, () => fetcher.fetch('http://single.test/good', takesBodies)));
    expect(server.asked.length - before).toBe(10);
    expect(new Set(server.asked.slice(before).map(({ connection }) => connection)).size).toBe(1);
    for (let host = 0; host < 300; host++) {
      const end = await fetcher.fetch(`http://host${host}.test/good`, takesBodies);
      expect(end).toMatchObject({ status: 200, address: '127.0.0.1' });
    }
    // The first are closed by now, the last are not.
    const connections = server.connections;
    await fetcher.fetch('http://host299.test/good', takesBodies);
    expect(server.connections).toBe(connections);
    await fetcher.fetch('http://host0.test/good', takesBodies);
    expect(server.connections).toBe(connections + 1);
  });
});

describe('TLS', () => {
  test.each([
    ['good.test', undefined], ['www.good.test', undefined], ['good.test.', undefined],
    ['expired.test', /expired/], ['self-signed.test', /self.signed/], ['wrong-name.test', /altnames/],
    ['plain.test', /wrong version|packet length/],
  ])('%s', async (host, detail) => {
    const fetcher = await newFetcher({
      resolve: [
        { host: '*', address: '127.0.0.1', port: server.securePort },
        { host: 'plain.test', address: '127.0.0.1', port: server.port },
      ],
    });
    server.servernames.length = 0;
    // Twice, for what the first handshake left must not make the second one easier.
    for (let time = 0; time < 2; time++) {
      const end = await fetcher.fetch(`https://${host}/good`, takesBodies);
      if (detail === undefined) expect(end).toMatchObject({ status: 200 });
      else expect(end).toMatchObject({ reason: 'TLS not valid', detail: expect.stringMatching(detail) as string });
    }
    if (host !== 'plain.test') expect(new Set(server.servernames)).toEqual(new Set([host.replace(/\.$/, '')]));
  });

  test('an authority that is not trusted, whatever the environment says', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const fetcher = await Fetcher.open(loopbackSettings(server.securePort));
      fetchers.push(fetcher);
      expect(await fetcher.fetch('https://good.test/good', takesBodies)).toMatchObject({ reason: 'TLS not valid' });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });
});

describe('addresses', () => {
  const closed = { allowNetworks: [] };

  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::]/',
    'http://0/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'https://10.0.0.1/',
    'http://localhost/',
    'http://LOCALHOST/',
    'http://good.test/',
    'http://\uff11\uff12\uff17.0.0.1/',
  ])('%s is not connected to', async (url) => {
    const asked = server.asked.length;
    const fetcher = await newFetcher({
      ...closed, resolve: [{ host: 'good.test', address: '127.0.0.1', port: server.port }],
    });
    expect(await fetcher.fetch(url, takesBodies)).toMatchObject({ reason: 'address not allowed' });
    expect(await fetcher.addressOf(url)).toMatchObject({ reason: 'address not allowed' });
    expect(server.asked.length).toBe(asked);
  });

  test.skipIf(process.platform !== 'linux')('where a redirect leads is judged as all else', async () => {
    const own = await HostileServer.open('127.0.0.2');
    try {
      const fetcher = await newFetcher({
        allowNetworks: ['127.0.0.2/32'], resolve: [{ host: 'a.test', address: '127.0.0.2', port: own.port }],
      });
      const targets = [
        ['redirect-loopback', '127.0.0.1'], ['redirect-metadata', '169.254.169.254'], ['redirect-file', 'file: is'],
      ];
      for (const [path, target] of targets) {
        const hop = await fetcher.fetch(`http://a.test/${path}`, () => 'headers alone') as Answer;
        const end = await fetcher.fetch(header(hop.rawHeaders, 'location') ?? '', takesBodies);
        expect(end).toMatchObject({ reason: 'address not allowed', detail: expect.stringContaining(target) as string });
      }
    } finally {
      await own.close();
    }
  });

  test('localhost with its dot, which not every system knows, is not connected to', async () => {
    const end = await (await newFetcher({ ...closed, resolve: [] })).fetch(
      `http://localhost.:${server.port}/good`,
      takesBodies,
    );
    expect(['address not allowed', 'no such name', 'name lookup failed']).toContain('reason' in end && end.reason);
  });

  test('only http and https', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://good.test/', 'data:text/html,x', 'javascript:1']) {
      expect(await (await newFetcher()).fetch(url, takesBodies)).toMatchObject({ reason: 'address not allowed' });
    }
  });

  test('DNS that changes: the address that was checked is the one connected to', async () => {
    const open = async (...answers: readonly string[][]) => {
      const dns = changingDns(...answers);
      const settings = loopbackSettings(undefined, { resolve: [], allowNetworks: ['127.0.0.2/32'] });
      const fetcher = await Fetcher.open(settings, { lookup: dns.lookup });
      fetchers.push(fetcher);
      return { fetcher, dns };
    };
    const url = `http://rebound.test:${server.port}/good`;
    // Nobody listens at 127.0.0.2: had the second answer been used, a page would come.
    const first = await open(['127.0.0.2'], ['127.0.0.1']);
    expect(await first.fetcher.fetch(url, takesBodies)).toMatchObject({ reason: 'connection refused' });
    expect(await first.fetcher.fetch(url, takesBodies)).toMatchObject({ reason: 'connection refused' });
    expect(first.dns.asked).toEqual(['rebound.test']);
    // The other way round: the first is denied, and asked for anew.
    const second = await open(['127.0.0.1'], ['127.0.0.2', '127.0.0.1']);
    expect(await second.fetcher.fetch(url, takesBodies)).toMatchObject({
      reason: 'address not allowed', detail: '127.0.0.1',
    });
    expect(await second.fetcher.fetch(url, takesBodies)).toMatchObject({ reason: 'connection refused' });
    expect(server.asked.some(({ host }) => host === 'rebound.test')).toBe(false);
  });

  test('of a name with several addresses, one that answers is found', async () => {
    const lookup = () => Promise.resolve(['10.0.0.1', '::1', '127.0.0.9', '127.0.0.1']);
    const fetcher = await Fetcher.open(loopbackSettings(undefined, { resolve: [], allowNetworks: ['127.0.0.0/8'] }), {
      lookup,
    });
    fetchers.push(fetcher);
    expect(await fetcher.addressOf('http://several.test/')).toBe('127.0.0.9');
    const end = await fetcher.fetch(`http://several.test:${server.port}/good`, takesBodies);
    expect(end).toMatchObject({ status: 200, address: '127.0.0.1' });
    expect(await fetcher.addressOf(`http://several.test:${server.port}/`)).toBe('127.0.0.1');
  });

  test('names that there are none of, and DNS that fails or never answers', async () => {
    const fetch = async (lookup: () => Promise<readonly string[]>) => {
      const settings = loopbackSettings(undefined, { resolve: [], connectTimeoutMs: 200 });
      const fetcher = await Fetcher.open(settings, { lookup });
      fetchers.push(fetcher);
      return fetcher.fetch('http://name.test/', takesBodies);
    };
    const error = (code: string) => Promise.reject(Object.assign(new Error(`getaddrinfo ${code}`), { code }));
    expect(await fetch(() => error('ENOTFOUND'))).toMatchObject({ reason: 'no such name' });
    expect(await fetch(() => Promise.resolve([]))).toMatchObject({ reason: 'no such name' });
    expect(await fetch(() => error('EAI_AGAIN'))).toMatchObject({ reason: 'name lookup failed' });
    expect(await fetch(() => new Promise(() => undefined))).toMatchObject({ reason: 'connect time-out' });
    expect(await fetch(() => Promise.resolve(['name.test']))).toMatchObject({ reason: 'address not allowed' });
  });
});

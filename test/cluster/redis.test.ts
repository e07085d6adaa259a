import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError, WorldError } from '../../src/base/index.ts';
import { openRedis, shownRedis } from '../../src/machines/cluster/index.ts';
import { authority, goodCertificate, serverKey } from '../live/certificates.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from './redis-server.ts';

// Goal: a server that cannot be relied on is refused in one line, before any work, and no line holds a password.

const { file } = temporaryFolder();
const secret = 'p@ss/wörd:1';
const urlOf = (port: number, password = ''): string =>
  `redis://${password === '' ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`;

/** The error that opening must end with. */
async function refusal(url: string, timeoutMs?: number): Promise<InputError | WorldError> {
  const error: unknown = await openRedis(url, { timeoutMs }).then(
    (redis) => {
      redis.disconnect();
      return new Error('nothing was refused');
    },
    (reason: unknown) => reason,
  );
  if (!(error instanceof InputError || error instanceof WorldError)) throw error;
  // Also not in what a program may print of the error besides its message.
  expect(JSON.stringify([error.message, error.stack, String(error.cause)])).not.toContain(secret);
  return error;
}

describe('the URL', () => {
  test.each([
    ['redis://localhost', 'redis://localhost:6379'],
    ['redis://:secret@localhost:7000/3', 'redis://localhost:7000/3'],
    ['rediss://user:secret@example.org', 'rediss://user@example.org:6379'],
    ['redis://us%40er:s%2Fe@[::1]:1/0', 'redis://us%40er@[::1]:1'],
  ])('%s is shown as %s', (url, shown) => expect(shownRedis(url)).toBe(shown));

  test.each([
    '', 'localhost:6379', 'http://:secret@localhost', 'redis://:secret@', 'redis://:secret@localhost/queue',
    'redis://:secret@localhost?password=secret', 'redis://:secret@localhost#secret', 'redis://:%zz@localhost/secret',
    'redis://:sec@ret/secret@localhost', 'redis://secret:secret:secret', 'redis:///var/run/secret.sock',
  ])('%j is refused without being quoted', async (url) => {
    const { message } = await refusal(url);
    expect(message).toContain('redis://[user:password@]host[:port][/database]');
    expect(message).not.toContain('secret');
    expect(() => shownRedis(url)).toThrow(InputError);
  });

  test('never shows a password', () => {
    fc.assert(fc.property(fc.string({ maxLength: 12, unit: 'grapheme' }), (password) => {
      const url = `redis://user:${encodeURIComponent(password)}@localhost`;
      expect(shownRedis(url)).toBe('redis://user@localhost:6379');
    }));
  });
});

describe.skipIf(!redisIsHere)(`a Redis server${redisIsMissing}`, () => {
  test('with a password lets in who knows it, and is asked for again after a restart', async () => {
    await using server = await RedisServer.start({ password: secret, appendonly: true });
    const changes: (string | undefined)[] = [];
    const redis = await openRedis(server.url, { onConnection: (lost) => changes.push(lost) });
    await redis.set('key', 'value');
    await server.kill();
    await expect.poll(() => changes.length).toBeGreaterThan(0);
    // The command waits for the server, which comes back with what it had.
    const value = redis.get('key');
    await server.restart();
    expect(await value).toBe('value');
    expect(changes[0]).toBeTypeOf('string');
    expect(changes.at(-1)).toBeUndefined();
    redis.disconnect();
  });

  test('takes the password from the environment where the URL has none', async () => {
    await using server = await RedisServer.start({ password: secret });
    try {
      process.env['REDISCLI_AUTH'] = secret;
      const redis = await openRedis(urlOf(server.port));
      // A second connection, as BullMQ and the log make one.
      expect(await redis.duplicate().ping()).toBe('PONG');
      redis.disconnect();
      expect((await refusal(urlOf(server.port, 'wrong'))).message).toContain('refuses the user or the password');
      process.env['REDISCLI_AUTH'] = 'wrong';
      expect((await refusal(urlOf(server.port))).message).toContain('refuses the user or the password');
      (await openRedis(server.url)).disconnect();
    } finally {
      delete process.env['REDISCLI_AUTH'];
    }
  });

  test.each([
    ['a wrong one', 'wrong', 'refuses the user or the password'], ['none', '', 'asks for a password'],
  ])('with a password refuses %s', async (_, password, why) => {
    await using server = await RedisServer.start({ password: secret });
    const error = await refusal(urlOf(server.port, password));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(new RegExp(`^Redis at 127\\.0\\.0\\.1:${server.port}: ${why}`));
  });

  test('that evicts keys is refused', async () => {
    await using server = await RedisServer.start({ args: ['--maxmemory-policy', 'allkeys-lru'] });
    expect((await refusal(server.url)).message).toContain('evicts keys when its memory is full (maxmemory-policy allkeys-lru)');
  });

  test('that is a replica or part of a cluster is refused', async () => {
    await using primary = await RedisServer.start();
    await using replica = await RedisServer.start({ args: ['--replicaof', `127.0.0.1 ${primary.port}`] });
    expect((await refusal(replica.url)).message).toContain('is a replica');
    await using part = await RedisServer.start({ args: ['--cluster-enabled', 'yes'] });
    expect((await refusal(part.url)).message).toContain('is part of a Redis Cluster');
  });

  test('without the database asked for is refused', async () => {
    await using server = await RedisServer.start({ args: ['--databases', '4'] });
    expect((await refusal(`${server.url}/4`)).message).toContain('has no database of this number');
    (await openRedis(`${server.url}/3`)).disconnect();
  });
});

describe.skipIf(!redisIsHere)(`a Redis server behind TLS${redisIsMissing}`, () => {
  test('is spoken to only if its certificate is good', async () => {
    await using server = await RedisServer.start({ password: secret });
    await using door = await listening(
      (socket) => socket.pipe(connect(server.port, '127.0.0.1').on('error', () => undefined)).pipe(socket),
      createTlsServer({ key: serverKey, cert: goodCertificate }),
    );
    const url = `rediss://:${encodeURIComponent(secret)}@127.0.0.1:${door.port}`;
    expect((await refusal(url)).message).toMatch(/^Redis at 127\.0\.0\.1:[0-9]+: TLS: /);

    // As a process that trusts the authority, and finds good.test on this machine.
    const script = `
      import dns from 'node:dns';
      import { openRedis } from ${JSON.stringify(new URL('../../dist/machines/cluster/index.js', import.meta.url).href)};
      dns.lookup = (name, options, done) => done(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
      const redis = await openRedis(${JSON.stringify(url.replace('127.0.0.1', 'good.test'))});
      console.log(await redis.ping());
      redis.disconnect();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: file('authority.pem', authority) },
    });
    expect(stdout).toBe('PONG\n');
  });
});

test.skipIf(!redisIsHere)(`a process whose connections have ended waits for nothing${redisIsMissing}`, async () => {
  await using server = await RedisServer.start();
  const script = `
    import { once } from 'node:events';
    import { openRedis } from ${JSON.stringify(new URL('../../dist/machines/cluster/index.js', import.meta.url).href)};
    const redis = await openRedis(${JSON.stringify(server.url)});
    const copy = redis.duplicate();
    await copy.ping();
    for (const one of [copy, redis]) {
      one.disconnect();
      await once(one, 'end');
    }
    console.log(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout).toBe('0\n');
});

describe('what is no Redis server', () => {
  test('nobody there, in the time that is stated', async () => {
    const error = await refusal(urlOf(1, secret), 300);
    expect(error).toBeInstanceOf(WorldError);
    expect(error.message).toBe(
      'Redis at 127.0.0.1:1: cannot be reached within 0.3 s (connect ECONNREFUSED 127.0.0.1:1)',
    );
  });

  test('one that accepts and is silent', async () => {
    await using server = await listening(() => undefined);
    const error = await refusal(urlOf(server.port, secret), 300);
    expect(error.message).toBe(`Redis at 127.0.0.1:${server.port}: cannot be reached within 0.3 s (no answer)`);
  });

  test('one that speaks something else', async () => {
    await using server = await listening((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect((await refusal(urlOf(server.port, secret))).message).toContain('what answers there is not Redis');
  });

  test('one that is too old', async () => {
    await using server = await listening(asVersion('5.0.14'));
    const { message } = await refusal(urlOf(server.port));
    expect(message).toBe(`Redis at 127.0.0.1:${server.port}: is version 5.0.14; 6.2 or later is needed`);
  });
});

/** Answers INFO as a server of this version, and knows no HELLO. */
function asVersion(version: string): (socket: Socket) => void {
  return (socket) => socket.on('data', (bytes: Buffer) => {
    // A command is an array of strings: its name is the first of them.
    for (const [, name] of bytes.toString().matchAll(/\*[0-9]+\r\n\$[0-9]+\r\n([A-Za-z]+)\r\n/g)) {
      const info = `# Server\r\nredis_version:${version}\r\nredis_mode:standalone\r\nloading:0\r\n`;
      const isInfo = name.toLowerCase() === 'info';
      socket.write(isInfo ? `$${info.length}\r\n${info}\r\n` : `-ERR unknown command \`${name}\`, with args\r\n`);
    }
  });
}

interface Listening extends AsyncDisposable {
  readonly port: number;
}

/** A server of plain sockets, or of those of TLS. */
async function listening(onSocket: (socket: Socket) => void, server: Server = createServer()): Promise<Listening> {
  const sockets: Socket[] = [];
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.push(socket.on('error', () => undefined));
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

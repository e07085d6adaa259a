import { isIP } from 'node:net';
import { Redis, type Command, type RedisOptions } from 'ioredis';
import { InputError, WorldError } from '../../base/index.ts';
import { placeOf, shownPlace, type RedisPlace } from './redis-url.ts';

/** Streams are trimmed by their smallest id since 6.2, which is also what BullMQ recommends. */
const minVersion = '6.2';
/** redis-cli reads the password from it, too. Lists of processes show command lines, and not the environment. */
const passwordVariable = 'REDISCLI_AUTH';

export interface OpenRedisOptions {
  /** How long the server may take to answer, or to start. Default 10 s. */
  readonly timeoutMs?: number | undefined;
  /** Called when the connection is lost, and with `undefined` when it is there again. */
  readonly onConnection?: ((loss: string | undefined) => void) | undefined;
}

/**
 * Connects to a Redis server, and checks that it can be relied on: it answers, is no older than 6.2, is a single server
 * that takes writes, and evicts no keys. After that, a lost connection is made again, and commands wait for it.
 *
 * The password is in the URL, or else in the environment variable REDISCLI_AUTH. No message contains it.
 *
 * Errors   InputError if it is not such a URL, the server refuses the password, or is of another kind; WorldError if it
 *          cannot be reached in time.
 */
export async function openRedis(url: string, options: OpenRedisOptions = {}): Promise<Redis> {
  const place = placeOf(url);
  const redis = await connected(place, options);
  const fault = faultOf(await serverFacts(redis));
  if (fault === undefined) return redis;
  redis.disconnect();
  throw new InputError(`${shownPlace(place)}: ${fault}`);
}

/**
 * An answer of Redis, or its refusal in one line, such as that a key is of another kind.
 * @throws WorldError
 */
export async function answerOf<T>({ options: { host, port } }: Redis, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof WorldError) throw error;
    // The place in a script says nothing to the reader.
    throw new WorldError(`Redis at ${host}:${port}: ${error.message.replace(/\.? script: [0-9a-f]{40}\b.*$/s, '')}`);
  }
}

/**
 * A connection that names a full server, whoever asks it something. Its copies, such as BullMQ makes for itself, do so
 * too, and end with it: also while the server is away.
 */
class Connection extends Redis {
  readonly #copies = new Set<Redis>();

  override duplicate(override?: Parameters<Redis['duplicate']>[0]): Redis {
    const copy = new Connection({ ...this.options, ...override } as RedisOptions & { replyMapping: 'legacy' });
    // Disconnected again, it would have the process wait two seconds for a socket that is closed.
    copy.once('end', () => this.#copies.delete(copy));
    this.#copies.add(copy);
    return copy;
  }

  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const { host, port } = this.options;
    // The promise that this returns is not the only one that is waited for: scripts and transactions have others.
    const { reject } = command;
    command.reject = (error: Error) => reject(fullServer(`${host}:${port}`, error) ?? error);
    return super.sendCommand(command, stream);
  }

  override disconnect(reconnect = false): void {
    if (!reconnect) for (const copy of this.#copies) copy.disconnect();
    super.disconnect(reconnect);
  }
}

/** The error of a server without room; undefined for another refusal. In a script, other words stand around it. */
function fullServer(place: string, { message }: Error): WorldError | undefined {
  if (message.includes('OOM command not allowed')) {
    return new WorldError(`Redis at ${place} is full: it has reached its maxmemory; raise it, or use another server`);
  }
  const [disk] = /\bMISCONF [^.]*/.exec(message) ?? [];
  return disk === undefined ? undefined
    : new WorldError(`Redis at ${place} is full, or its disk fails: it takes no writes (${disk.trim()})`);
}

const ended = 'the server has ended it';

/**
 * A connection that is ready. Until then it is tried again until the time is up: Redis may be starting, too. A refused
 * password or certificate is final.
 */
async function connected(place: RedisPlace, { timeoutMs = 10_000, onConnection }: OpenRedisOptions): Promise<Redis> {
  const { host, port, user, database, isTls } = place;
  const password = place.password || (process.env[passwordVariable] ?? '');
  let isOpen = false;
  let isRefused = false;
  const redis = new Connection({
    host, port, db: database, ...(user !== '' && { username: user }), ...(password !== '' && { password }),
    ...(isTls && { tls: { ...(isIP(host) === 0 && { servername: host }) } }),
    connectTimeout: timeoutMs, maxRetriesPerRequest: null, lazyConnect: true,
    retryStrategy: (times) => (isRefused ? null : Math.min(50 * times, 2000)),
  });
  let why = 'no answer';
  const unreachable = (): WorldError =>
    new WorldError(`${shownPlace(place)}: cannot be reached within ${timeoutMs / 1000} s (${why})`);
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(unreachable()), timeoutMs);
      redis.on('error', (error: Error) => {
        why = error.message;
        const refusal = refusalOf(error);
        if (isOpen || refusal === undefined) return;
        isRefused = true;
        clearTimeout(timer);
        // Without its cause, which holds the command, and with it the password.
        reject(new InputError(`${shownPlace(place)}: ${refusal}`));
      });
      redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
      // Its failures are heard as errors above.
      redis.connect().catch(() => undefined);
    });
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  isOpen = true;
  let isLost = false;
  // Not heard where this side ends the connection.
  redis.on('reconnecting', () => {
    if (!isLost) onConnection?.(why);
    isLost = true;
  });
  redis.on('ready', () => {
    why = ended;
    isLost = false;
    onConnection?.(undefined);
  });
  why = ended;
  return redis;
}

/** Why address or password are refused for good; undefined if another attempt may succeed. */
function refusalOf({ message, code }: Error & { readonly code?: string }): string | undefined {
  if (message.startsWith('WRONGPASS')) return 'refuses the user or the password';
  if (message.startsWith('NOAUTH'))
    return `asks for a password: set ${passwordVariable} in the environment, or write redis://:password@host:port`;
  if (message.startsWith('NOPERM')) return 'does not let this user work';
  if (message.includes('DB index')) return 'has no database of this number';
  if (/^(Unknown RESP|Protocol error)/.test(message)) return 'what answers there is not Redis';
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(code ?? '')) return `TLS: ${message}`;
  return undefined;
}

async function serverFacts(redis: Redis): Promise<ReadonlyMap<string, string>> {
  const text = await redis.info().catch(() => '');
  return new Map(text.split('\r\n').filter((line) => line.includes(':')).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1)];
  }));
}

/** Why a server with these facts cannot be relied on; undefined if it can. */
function faultOf(facts: ReadonlyMap<string, string>): string | undefined {
  const version = facts.get('redis_version') ?? minVersion;
  if (isOlder(version, minVersion)) return `is version ${version}; ${minVersion} or later is needed`;
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction')
    return `evicts keys when its memory is full (maxmemory-policy ${policy}); set maxmemory-policy noeviction`;
  if (facts.get('redis_mode') === 'cluster') return 'is part of a Redis Cluster; a single server is needed';
  return facts.get('role') === 'slave' ? 'is a replica, which takes no writes; name its primary' : undefined;
}

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  return a[0] < b[0] || (a[0] === b[0] && (a[1] ?? 0) < b[1]);
}

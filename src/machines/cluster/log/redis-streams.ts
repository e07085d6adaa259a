import { ReplyError, type Redis } from 'ioredis';
import { WorldError } from '../../../base/index.ts';
import { answerOf } from '../redis.ts';
import { streamStart, type Entry, type EntryId, type Streams } from './streams.ts';

const blockMs = 1000;
/** Nothing heard for so long while an answer is due each `blockMs`: the connection is dead, and made again. */
const deadMs = 10_000;
/** Entries of each stream per read: a node that starts again reads many. */
const entriesPerRead = 16;

/**
 * Appends if the last entry is where the caller expects it. The places of the last entries are in a hash beside the
 * streams: to look there costs no copy of an entry. A stream that is gone has no last entry.
 */
const appendScript = `
local last = redis.call('HGET', KEYS[2], ARGV[1])
if not last or redis.call('EXISTS', KEYS[1]) == 0 then last = '0-0' end
if last ~= ARGV[2] then return last end
redis.call('XADD', KEYS[1], ARGV[3], 'record', ARGV[4])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
if ARGV[5] ~= '0' then
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
end
return false`;

export interface RedisStreamsOptions {
  /** Begins all keys. Redis places keys by the part in braces: the keys of a crawl stay together. */
  readonly prefix: string;
  readonly nodes: number;
  /** Everything is forgotten when no node has written or waited for so long; 0 for never. */
  readonly expiresMs: number;
}

/** Streams of a Redis server, over two connections: a reader that waits would delay writes on the same one. */
export class RedisStreams implements Streams {
  readonly #writer: Redis;
  readonly #reader: Redis;
  readonly #options: RedisStreamsOptions;
  #isClosed = false;

  /** @param writer from `openRedis`; it is closed with the streams. */
  constructor(writer: Redis, options: RedisStreamsOptions) {
    this.#writer = writer;
    this.#reader = writer.duplicate({ socketTimeout: deadMs });
    // Reported by the other connection.
    this.#reader.on('error', () => undefined);
    this.#options = options;
  }

  async append({ stream, id, bytes }: Entry, after: EntryId): Promise<EntryId | undefined> {
    const last = await this.#answer(() => this.#writer.eval(
      appendScript, 2, this.#keyOf(stream), this.#lastKey, stream, textOf(after), textOf(id), asBuffer(bytes),
      this.#options.expiresMs,
    )) as string | null;
    return last === null ? undefined : idOf(last);
  }

  async last(stream: number): Promise<EntryId> {
    const [isThere, last] = await this.#answer(async () => Promise.all([
      this.#writer.exists(this.#keyOf(stream)), this.#writer.hget(this.#lastKey, String(stream)),
    ]));
    return isThere === 0 || last === null ? streamStart : idOf(last);
  }

  async entryAt(stream: number, id: EntryId): Promise<Uint8Array | undefined> {
    const [entry] = await this.#answer(
      async () => this.#writer.xrangeBuffer(this.#keyOf(stream), textOf(id), textOf(id)),
    ) as readonly (readonly [Buffer, readonly Buffer[]] | undefined)[];
    return entry?.[1][1];
  }

  async read(after: ReadonlyMap<number, EntryId>): Promise<readonly Entry[]> {
    const streams = [...after.keys()];
    const rows = await this.#answer(async () => this.#reader.xreadBuffer(
      'COUNT', entriesPerRead, 'BLOCK', blockMs, 'STREAMS', ...streams.map((stream) => this.#keyOf(stream)),
      ...[...after.values()].map(textOf),
    ).catch((error: unknown) => {
      // The connection ended while this waited: the next read waits for the new one.
      if (error instanceof ReplyError || error instanceof WorldError) throw error;
      return null;
    }));
    const entries = (rows ?? []) as readonly (readonly [Buffer, readonly (readonly [Buffer, readonly Buffer[]])[]])[];
    if (entries.length === 0) await this.#stayAlive();
    return entries.flatMap(([key, ofKey]) => {
      const stream = streams.find((node) => this.#keyOf(node) === key.toString())!;
      return ofKey.map(([id, [, bytes]]) => ({ stream, id: idOf(id.toString()), bytes }));
    });
  }

  async trim(stream: number, end: EntryId): Promise<void> {
    await this.#answer(async () => this.#writer.xtrim(this.#keyOf(stream), 'MINID', textOf(end)));
  }

  close(): void {
    this.#isClosed = true;
    this.#reader.disconnect();
    this.#writer.disconnect();
  }

  /** A node that waits speaks for those that are away: their streams do not expire either. */
  async #stayAlive(): Promise<void> {
    const { nodes, expiresMs } = this.#options;
    if (expiresMs === 0 || this.#isClosed) return;
    const keys = Array.from({ length: nodes }, (_, node) => this.#keyOf(node));
    await this.#answer(async () => Promise.all(
      [...keys, this.#lastKey].map((key) => this.#writer.pexpire(key, expiresMs)),
    ));
  }

  /** As answerOf; whoever has closed the streams waits for nothing. */
  async #answer<T>(ask: () => Promise<T>): Promise<T> {
    return answerOf(this.#writer, ask).catch((error: unknown) => {
      if (this.#isClosed) return new Promise<never>(() => undefined);
      throw error;
    });
  }

  #keyOf(stream: number): string {
    return `${this.#options.prefix}:log:${stream}`;
  }

  get #lastKey(): string {
    return `${this.#options.prefix}:last`;
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const textOf = ({ epoch, seq }: EntryId): string => `${epoch}-${seq}`;

function idOf(text: string): EntryId {
  const [epoch, seq] = text.split('-').map(Number);
  return { epoch, seq };
}

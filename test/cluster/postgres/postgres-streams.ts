import postgres from 'postgres';
import { streamStart, type Entry, type EntryId, type Streams } from '../../../src/machines/cluster/index.ts';

/** How long a reader waits for entries. */
const blockMs = 1000;
/** Until a connection that was lost is tried again. */
const retryMs = 20;

/**
 * The check and the entry are one function, under a lock of the stream: PostgreSQL's place for what is a Lua script in
 * Redis. It returns the place of the last entry where that is another one than the caller expects.
 */
const schema = `
create table if not exists entries (
  stream integer, epoch bigint, seq bigint, bytes bytea not null, primary key (stream, epoch, seq)
);
create or replace function append_entry(
  to_stream integer, after_epoch bigint, after_seq bigint, new_epoch bigint, new_seq bigint, new_bytes bytea,
  out last_epoch bigint, out last_seq bigint
) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(to_stream);
  select epoch, seq into last_epoch, last_seq from entries where stream = to_stream
    order by epoch desc, seq desc limit 1;
  if (coalesce(last_epoch, 0), coalesce(last_seq, 0)) <> (after_epoch, after_seq) then
    last_epoch := coalesce(last_epoch, 0);
    last_seq := coalesce(last_seq, 0);
    return;
  end if;
  insert into entries values (to_stream, new_epoch, new_seq, new_bytes);
  last_epoch := null;
  notify entries;
end $$;`;

/** What the client reports of a connection that is gone, or of a server that is not there yet. */
const lost = new Set([
  'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE',
  '57P01', '57P02', '57P03',
]);

/**
 * Streams of a PostgreSQL server: a table, a function, and notifications that wake who waits. It is here to show that
 * the log is bound to no engine; Orbweaver has no command that uses it.
 */
export class PostgresStreams implements Streams {
  readonly #sql: postgres.Sql;
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  private constructor(sql: postgres.Sql) {
    this.#sql = sql;
  }

  /** @param place of the server, as its client takes it. */
  static async open(place: postgres.Options<Record<string, never>>): Promise<PostgresStreams> {
    const streams = new PostgresStreams(postgres({
      ...place, max: 2, onnotice: () => undefined, idle_timeout: 0, max_lifetime: null,
      // Otherwise the client asks for the types of arrays beside the first query, and nobody hears if that fails.
      fetch_types: false,
    }));
    // Several that create the same at once meet in PostgreSQL's own tables.
    await streams.#sql.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(-1)`;
      await sql.unsafe(schema);
    });
    await streams.#sql.listen('entries', () => { streams.#wake(); }, () => { streams.#wake(); });
    return streams;
  }

  async append({ stream, id, bytes }: Entry, after: EntryId): Promise<EntryId | undefined> {
    const [last] = await this.#answer(() => this.#sql<readonly [{ epoch: string | null; seq: string | null }]>`
      select last_epoch as epoch, last_seq as seq from
        append_entry(${stream}, ${after.epoch}, ${after.seq}, ${id.epoch}, ${id.seq}, ${Buffer.from(bytes)})`);
    return last.epoch === null ? undefined : idOf(last);
  }

  async last(stream: number): Promise<EntryId> {
    const [last] = await this.#answer(() => this.#sql<readonly [Place?]>`
      select epoch, seq from entries where stream = ${stream} order by epoch desc, seq desc limit 1`);
    return last === undefined ? streamStart : idOf(last);
  }

  async entryAt(stream: number, { epoch, seq }: EntryId): Promise<Uint8Array | undefined> {
    const [entry] = await this.#answer(() => this.#sql<readonly [{ bytes: Buffer }?]>`
      select bytes from entries where stream = ${stream} and epoch = ${epoch} and seq = ${seq}`);
    return entry?.bytes;
  }

  async read(after: ReadonlyMap<number, EntryId>): Promise<readonly Entry[]> {
    const woken = this.#woken();
    const found = await this.#behind(after);
    if (found.length > 0 || this.#isClosed) return found;
    await woken;
    return this.#hasClosed() ? [] : this.#behind(after);
  }

  async trim(stream: number, before: EntryId): Promise<void> {
    await this.#answer(() => this.#sql`
      delete from entries where stream = ${stream} and (epoch, seq) < (${before.epoch}, ${before.seq})`);
  }

  /** For tests: all entries are lost, and none is appended meanwhile behind one that is. */
  async loseAll(streams: number): Promise<void> {
    await this.#sql.begin(async (sql) => {
      for (let stream = 0; stream < streams; stream++) await sql`select pg_advisory_xact_lock(${stream})`;
      await sql`delete from entries`;
    });
  }

  /** For tests: ends all other connections. */
  async interrupt(): Promise<void> {
    await this.#sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and backend_type = 'client backend'`;
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
    this.#sql.end({ timeout: 0 }).catch(() => undefined);
  }

  /** A method, for the compiler: it changes while others are awaited. */
  #hasClosed(): boolean {
    return this.#isClosed;
  }

  async #behind(after: ReadonlyMap<number, EntryId>): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    for (const [stream, { epoch, seq }] of after) {
      const rows = await this.#answer(() => this.#sql<readonly (Place & { bytes: Buffer })[]>`
        select epoch, seq, bytes from entries where stream = ${stream} and (epoch, seq) > (${epoch}, ${seq})
        order by epoch, seq limit 16`);
      for (const row of rows) entries.push({ stream, id: idOf(row), bytes: row.bytes });
    }
    return entries;
  }

  /** From now on: resolves at the next notification, or after a while. */
  async #woken(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, blockMs);
      this.#waiting.add(wake);
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Asks until the connection holds: a lost one is no error. Nothing is answered once this is closed. */
  async #answer<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (this.#isClosed) return new Promise<never>(() => undefined);
        if (!lost.has((error as { readonly code?: string }).code ?? '')) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }
}

/** Numbers of 64 bits come as text. */
interface Place {
  readonly epoch: unknown;
  readonly seq: unknown;
}

const idOf = ({ epoch, seq }: Place): EntryId => ({ epoch: Number(epoch), seq: Number(seq) });

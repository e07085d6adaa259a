import { expect, test } from 'vitest';
import { EpochEnded, Log, type EntryId, type LogOptions, type Streams } from '../../src/machines/cluster/index.ts';

/** An engine of streams, and what may happen to it. */
export interface LogEngine {
  /** The connection of one node. */
  connect(): Promise<Streams>;
  /** All entries are lost; connections stay. */
  loseAll(): Promise<void>;
  /** Connections are lost, and made again; entries stay. */
  interrupt(): Promise<void>;
  /** So long after everything is at rest readers have looked whether their streams are complete. */
  settle(): Promise<void>;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/**
 * The contract of Streams, and of the log on them. Memory and Redis are tested with it.
 * @param withEngine an engine without entries, for one test.
 */
export function describeLog(withEngine: (work: (engine: LogEngine) => Promise<void>) => Promise<void>): void {
  const at = (epoch: number, seq: number): EntryId => ({ epoch, seq });
  const entry = (stream: number, id: EntryId, text: string) => ({ stream, id, bytes: bytesOf(text) });

  /** Logs of all nodes, closed in the end. */
  async function withLogs(
    nodes: number, work: (logs: readonly Log[], engine: LogEngine, more: MoreLogs) => Promise<void>,
  ): Promise<void> {
    await withEngine(async (engine) => {
      const logs: Log[] = [];
      const more: MoreLogs = async (node, options = {}) => {
        const log = new Log({ streams: await engine.connect(), node, nodes, epoch: 1, ...options });
        logs.push(log);
        return log;
      };
      try {
        for (let node = 0; node < nodes; node++) await more(node);
        await work(logs, engine, more);
      } finally {
        for (const log of logs) log.close();
      }
    });
  }
  type MoreLogs = (node: number, options?: Partial<LogOptions>) => Promise<Log>;

  test('a stream takes an entry only behind the one that is named', async () => {
    await withEngine(async (engine) => {
      const streams = await engine.connect();
      expect(await streams.last(3)).toEqual(at(0, 0));
      expect(await streams.append(entry(3, at(1, 5), 'a'), at(0, 0))).toBeUndefined();
      expect(await streams.append(entry(3, at(1, 6), 'b'), at(0, 0))).toEqual(at(1, 5));
      expect(await streams.append(entry(3, at(1, 6), 'b'), at(1, 5))).toBeUndefined();
      expect(await streams.append(entry(3, at(2, 1), 'c'), at(1, 6))).toBeUndefined();
      expect(await streams.last(3)).toEqual(at(2, 1));
      expect(textOf(await streams.entryAt(3, at(1, 6)))).toBe('b');
      expect(await streams.entryAt(3, at(1, 7))).toBeUndefined();
      streams.close();
    });
  });

  test('of many that append at once, one succeeds', async () => {
    await withEngine(async (engine) => {
      const all = await Promise.all(Array.from({ length: 5 }, () => engine.connect()));
      const lasts = await Promise.all(all.map((streams, i) => streams.append(entry(0, at(1, 1), `by ${i}`), at(0, 0))));
      expect(lasts.filter((last) => last === undefined)).toHaveLength(1);
      const winner = lasts.indexOf(undefined);
      expect(textOf(await all[0].entryAt(0, at(1, 1)))).toBe(`by ${winner}`);
      for (const streams of all) streams.close();
    });
  });

  test('a read waits for entries, and gives each stream in order; a trim removes those before', async () => {
    await withEngine(async (engine) => {
      const [reader, writer] = [await engine.connect(), await engine.connect()];
      const read = reader.read(new Map([[0, at(0, 0)], [1, at(1, 1)]]));
      await writer.append(entry(0, at(1, 1), 'a'), at(0, 0));
      expect((await read).map(({ stream, bytes }) => [stream, textOf(bytes)])).toEqual([[0, 'a']]);
      await writer.append(entry(0, at(1, 2), 'b'), at(1, 1));
      await writer.append(entry(0, at(1, 3), 'c'), at(1, 2));
      await writer.append(entry(1, at(1, 1), 'not asked for'), at(0, 0));
      expect((await reader.read(new Map([[0, at(1, 1)], [1, at(1, 1)]]))).map(({ bytes }) => textOf(bytes)))
        .toEqual(['b', 'c']);
      await writer.trim(0, at(1, 3));
      expect((await reader.read(new Map([[0, at(0, 0)]]))).map(({ bytes }) => textOf(bytes))).toEqual(['c']);
      expect(await writer.last(0)).toEqual(at(1, 3));
      for (const streams of [reader, writer]) streams.close();
    });
  });

  test('each node reads the records of all others, in order, before and after they are written', async () => {
    await withLogs(3, async (logs) => {
      const early = logs[2].get(0, 1);
      for (let seq = 1; seq <= 200; seq++) {
        await Promise.all([logs[0], logs[1]].map((log) => log.put(seq, bytesOf(`${log.node} ${seq}`))));
      }
      expect(textOf(await early)).toBe('0 1');
      for (let seq = 1; seq <= 200; seq++) {
        if (seq > 1) expect(textOf(await logs[2].get(0, seq))).toBe(`0 ${seq}`);
        expect(textOf(await logs[2].get(1, seq))).toBe(`1 ${seq}`);
      }
    });
  });

  test('records are bytes of any kind and length', async () => {
    await withLogs(2, async ([writer, reader]) => {
      const records = [new Uint8Array(0), Uint8Array.of(0, 13, 10, 255, 0), new Uint8Array(3e6).fill(7)];
      for (const [i, record] of records.entries()) {
        await writer.put(i + 1, record);
        expect(Buffer.compare(await reader.get(0, i + 1), record)).toBe(0);
      }
    });
  });

  test('the same record may be written again, another one may not', async () => {
    await withLogs(2, async ([first, reader], _, more) => {
      await first.put(1, bytesOf('a'));
      await first.put(2, bytesOf('b'));
      const again = await more(0);
      await again.put(1, bytesOf('a'));
      await expect(again.put(2, bytesOf('x'))).rejects
        .toThrow('record 2 of node 0 is in the log already, with other contents');
      expect(textOf(await reader.get(0, 1))).toBe('a');
      expect(textOf(await reader.get(0, 2))).toBe('b');
    });
  });

  test('a node that starts again goes on where its records end', async () => {
    await withLogs(2, async ([first, reader], _, more) => {
      await first.put(1, bytesOf('a'));
      const again = await more(0);
      for (const [i, text] of ['a', 'b', 'c'].entries()) await again.put(i + 1, bytesOf(text));
      expect(textOf(await reader.get(0, 3))).toBe('c');
    });
  });

  test('the last record of a node is found, of an earlier epoch too, which is not read otherwise', async () => {
    await withLogs(2, async ([writer], _, more) => {
      const later = await more(1, { epoch: 2 });
      expect(await later.lastOf(0)).toBeUndefined();
      await writer.put(1, bytesOf('a'));
      await writer.put(9, bytesOf('b'));
      const { seq, bytes } = (await later.lastOf(0))!;
      expect([seq, textOf(bytes)]).toEqual([9, 'b']);
    });
  });

  test('own records are complete when that is asked for, whatever the engine has lost', async () => {
    await withLogs(2, async ([writer], engine) => {
      for (let seq = 1; seq <= 3; seq++) await writer.put(seq, bytesOf('a'));
      await engine.loseAll();
      await writer.complete();
      const streams = await engine.connect();
      expect(await streams.last(0)).toEqual(at(1, 3));
      streams.close();
    });
  });

  test('what the engine loses is written again, while all wait', async () => {
    await withLogs(2, async (logs, engine) => {
      for (let seq = 1; seq <= 5; seq++) {
        await Promise.all(logs.map((log) => log.put(seq, bytesOf(`${log.node} ${seq}`))));
        if (seq < 3) await Promise.all(logs.map((log) => log.get(1 - log.node, seq)));
        if (seq === 4) await engine.loseAll();
      }
      for (let seq = 3; seq <= 5; seq++) {
        const read = await Promise.all(logs.map((log) => log.get(1 - log.node, seq)));
        expect(read.map(textOf)).toEqual([`1 ${seq}`, `0 ${seq}`]);
      }
    });
  });

  test('a record that is lost before anybody has read it arrives though nothing else is written', async () => {
    await withLogs(2, async ([writer, reader], engine) => {
      await writer.put(1, bytesOf('a'));
      await reader.get(0, 1);
      await writer.put(2, bytesOf('b'));
      await engine.loseAll();
      const read = reader.get(0, 2);
      await engine.settle();
      expect(textOf(await read)).toBe('b');
    });
  });

  test('a read goes on over lost connections', async () => {
    await withLogs(2, async ([writer, reader], engine) => {
      for (let seq = 1; seq <= 3; seq++) {
        const read = reader.get(0, seq);
        await engine.interrupt();
        await writer.put(seq, bytesOf(`${seq}`));
        expect(textOf(await read)).toBe(`${seq}`);
      }
    });
  });

  test('trimmed records are gone; what a reader still needs is missed, in words', async () => {
    await withLogs(2, async ([writer], engine, more) => {
      for (let seq = 1; seq <= 5; seq++) await writer.put(seq, bytesOf(`${seq}`));
      await writer.trim(4);
      const late = await more(1);
      await expect(late.get(0, 2)).rejects.toThrow('record 2 of node 0 is no longer in the log, which has 4');
      expect(textOf(await late.get(0, 4))).toBe('4');
      await engine.loseAll();
      await writer.put(6, bytesOf('6'));
      expect(textOf(await late.get(0, 5))).toBe('5');
    });
  });

  test('a later epoch ends writers and readers of the one before', async () => {
    await withLogs(3, async ([zombie, reader], _, more) => {
      await zombie.put(1, bytesOf('a'));
      expect(textOf(await reader.get(0, 1))).toBe('a');
      const waiting = reader.get(0, 2);
      const ended = expect(waiting).rejects.toThrow(EpochEnded);
      const successor = await more(0, { epoch: 2 });
      await successor.put(1, bytesOf('b'));
      await expect(zombie.put(2, bytesOf('c'))).rejects.toThrow('node 0 has begun epoch 2');
      await ended;
      const follower = await more(1, { epoch: 2 });
      expect(textOf(await follower.get(0, 1))).toBe('b');
    });
  });

  test('a record of an earlier epoch is ignored', async () => {
    await withLogs(2, async ([old], engine, more) => {
      await old.put(1, bytesOf('old'));
      const reader = await more(1, { epoch: 2 });
      const read = reader.get(0, 1);
      await old.put(2, bytesOf('old, too'));
      await engine.settle();
      const successor = await more(0, { epoch: 2 });
      await successor.put(1, bytesOf('new'));
      expect(textOf(await read)).toBe('new');
    });
  });

  test('says who is waited for; ends with the error that it is given', async () => {
    await withLogs(3, async (_, engine, more) => {
      let heard: (nodes: readonly number[]) => void = () => undefined;
      const idle = new Promise<readonly number[]>((resolve) => { heard = resolve; });
      const log = await more(0, { onIdle: (nodes) => { if (nodes.length > 0) heard(nodes); } });
      const read = log.get(2, 1);
      const ended = expect(read).rejects.toThrow('enough');
      await engine.settle();
      expect(await idle).toEqual([2]);
      log.fail(new Error('enough'));
      await ended;
      await expect(log.get(1, 1)).rejects.toThrow('enough');
      await expect(log.put(1, bytesOf('a'))).rejects.toThrow('enough');
    });
  });
}

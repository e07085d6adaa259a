import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import { SharedSimulation, type Streams } from '../../../src/machines/cluster/index.ts';
import { simulate } from '../../../src/core/engine/index.ts';
import { buildGraph, hostsFromNames, prepare } from '../../../src/graphs/graph/index.ts';
import { describeLog } from '../../conformance/log.ts';
import { postgresIsHere, postgresIsMissing, PostgresServer } from './postgres-server.ts';
import { PostgresStreams } from './postgres-streams.ts';

// Goal: the choice of Redis can be undone. The log, and a simulation on several nodes, hold on PostgreSQL as well, by
// an engine of a hundred lines that the product does not have.

describe.skipIf(!postgresIsHere)(`a log on PostgreSQL${postgresIsMissing}`, () => {
  let server: PostgresServer;
  beforeAll(async () => { server = await PostgresServer.start(); });
  afterAll(async () => { await server[Symbol.asyncDispose](); });

  describeLog(async (work) => {
    const control = await PostgresStreams.open(server.place);
    await control.loseAll(10);
    try {
      await work({
        connect: () => PostgresStreams.open(server.place), loseAll: () => control.loseAll(10),
        interrupt: () => control.interrupt(), settle: async () => Promise.resolve(),
      });
    } finally {
      control.close();
    }
  });

  test('a simulation on two nodes goes on after kill -9 of the server', async () => {
    const draws = new DrawStream(20261125, 'web');
    const [pages, arcs] = [120, 500];
    const web = prepare(buildGraph({
      name: 'web', pages,
      sources: Uint32Array.from({ length: arcs }, (_, arc) => draws.uint32(arc, 0) % pages),
      targets: Uint32Array.from({ length: arcs }, (_, arc) => draws.uint32(arc, 1) % pages),
      hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `h${draws.uint32(page, 2) % 15}.example.org`)),
    }));
    const input = { processors: 4, superstepLimit: 3, seedPages: [0, 1, 2] };
    const alone = await simulate(web, input);
    expect(alone.run.summary.supersteps).toBeGreaterThan(10);

    const control = await PostgresStreams.open(server.place);
    await control.loseAll(10);
    let records = 0;
    const node = async (number: number): Promise<string> => {
      const streams = await PostgresStreams.open(server.place);
      const append: Streams['append'] = async (entry, after) => {
        if (++records === 20) await server.restart();
        return streams.append(entry, after);
      };
      const connected: Streams = {
        append, last: (stream) => streams.last(stream), entryAt: (stream, id) => streams.entryAt(stream, id),
        read: (after) => streams.read(after), trim: (stream, before) => streams.trim(stream, before),
        close: () => { streams.close(); },
      };
      const shared = new SharedSimulation({ node: number, nodes: 2, connect: async () => Promise.resolve(connected) });
      const { run } = await simulate(web, input, { shared });
      await shared.ended(run.replayHash);
      shared.close();
      return run.replayHash;
    };
    expect(await Promise.all([node(0), node(1)])).toEqual([alone.run.replayHash, alone.run.replayHash]);
    expect(records).toBeGreaterThan(20);
    control.close();
  });
});

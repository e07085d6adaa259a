import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { assemble } from '../../../src/core/engine/assembly.ts';
import { partitionHosts, settle, settleSeeds } from '../../../src/core/engine/index.ts';
import { Sinks } from '../../../src/core/events/index.ts';
import { crawl } from '../../../src/core/engine/loop.ts';
import { parseExperiment } from '../../../src/core/policy/index.ts';
import { buildGraph, hostsFromNames } from '../../../src/graphs/graph/index.ts';
import { WorldError } from '../../../src/base/index.ts';
import type { World } from '../../../src/core/world/index.ts';

// Goal: a World that throws at once ends the crawl with its error, whatever other processors wait for; what becomes of
// these later is nobody's unhandled rejection, which would end the process.

const pages = 8;
const graph = buildGraph({
  name: 'eight', pages, sources: Uint32Array.of(0), targets: Uint32Array.of(1),
  hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `h${page}.example.org`)),
});

/** A World of the same promises whose `next` goes wrong, at once or later. */
function broken(world: World, processor: number, when: 'at once' | 'later'): World {
  const error = new WorldError(`processor ${processor} failed ${when}`);
  return {
    get nowUs() { return world.nowUs; },
    get politenessBreaches() { return world.politenessBreaches; },
    hostOf: (page) => world.hostOf(page),
    openDownloads: () => world.openDownloads(),
    start: (request) => { world.start(request); },
    next: () => {
      if (when === 'at once') throw error;
      return sleep(5).then(() => { throw error; });
    },
  };
}

test.each([
  [3, 'at once'], [0, 'at once'], [undefined, 'later'],
] as const)('processor %s throws at once', async (thrower, when) => {
  const processors = 4;
  const experiment = parseExperiment({ processors, partition: 'lpt' });
  const seeds = settleSeeds(graph, { ...experiment, seedPages: Array.from({ length: pages }, (_, page) => page) });
  const settled = settle(experiment, 3, seeds.seedPages);
  const assembly = assemble(graph, settled, partitionHosts(graph, settled, seeds.reachable), {
    sinks: new Sinks([]),
    makeWorld: (world, processor) => broken(world, processor, processor === thrower ? 'at once' : 'later'),
  });
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => { unhandled.push(error); };
  process.on('unhandledRejection', note);
  try {
    await expect(crawl(assembly)).rejects.toThrow(`failed ${when}`);
    await sleep(50);
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
    assembly.dispose();
  }
});

import { expect, test, describe } from 'vitest';
import { type ExperimentInput } from '../../src/core/settings/index.ts';
import { parseExperiment } from '../../src/core/policy/index.ts';
import { partitionHosts, settle, settleSeeds } from '../../src/core/engine/index.ts';
import { assemble, type Assembly } from '../../src/core/engine/assembly.ts';
import { Sinks, type RunSink } from '../../src/core/events/index.ts';
import { crawl } from '../../src/core/engine/loop.ts';
import { packEntry } from '../../src/core/queue/index.ts';
import { PendingJobs } from '../../src/core/frontier/index.ts';
import type { Processor } from '../../src/core/scheduler/index.ts';
import { AssertionError } from '../../src/base/index.ts';
import { docsWeb as graph, docsWebRanks as ranks } from '../docs-web.ts';

// Goal: every invariant that the product asserts is really asserted. Method: let a real crawl of docs-web run for a few
// supersteps, damage its live state once, and let the same loop go on.


function prepare(input: ExperimentInput, sinks: readonly RunSink[] = []): Assembly {
  const experiment = parseExperiment({
    processors: 3, superstepLimit: 64, superstepMs: 2000, maxPages: 3000, ...input,
  });
  const { seedPages, reachable } = settleSeeds(graph, experiment);
  const settled = settle(experiment, Number(experiment.superstepLimit), seedPages);
  return assemble(graph, settled, partitionHosts(graph, settled, reachable), {
    ranks, sinks: new Sinks(sinks),
  });
}

async function crawlDamaged(damage: (assembly: Assembly) => void, input: ExperimentInput = {}): Promise<unknown> {
  let lastSuperstep = -1;
  const assembly: Assembly = prepare(input, [{
    superstepBegins: (superstep) => { lastSuperstep = superstep; },
    superstep: ({ superstep }) => { if (superstep === 5) damage(assembly); },
  }]);
  try {
    await crawl(assembly);
    return undefined;
  } catch (error) {
    expect(lastSuperstep, 'the damage is found in the superstep after it').toBeLessThanOrEqual(6);
    return error;
  }
}

/** A page of the first processor that has one in `state`. */
function anyPage(
  { processors }: Assembly, state: Parameters<Processor['frontier']['states']['is']>[1],
): { processor: Processor; local: number } {
  for (const processor of processors) {
    for (let local = 0; local < processor.frontier.states.count; local++)
      if (processor.frontier.states.is(local, state)) return { processor, local };
  }
  throw new Error(`no page is ${state}`);
}

const damages: [string, RegExp, (assembly: Assembly) => void][] = [
  [
    'a coin is added', /cash is not conserved/,
    ({ processors }) => processors[0].frontier.options.policy.amounts?.credit(0, 1),
  ],
  [
    'a message is lost', /cash is not conserved/,
    ({ transport, processors }) => processors.forEach((_, id) => transport.receive(id)),
  ],
  [
    'an entry is put into the queue behind the scheduler',
    /holds \d+ entries|was not put in/,
    ({
      processors: [
        {
          frontier: {
            options: { queue },
          },
        },
      ],
    }) => {
      queue.insertMany(Float64Array.of(packEntry(1, 0)), 0, 1);
    },
  ],
  [
    'an entry the scheduler never saw comes out of the queue',
    /was not inserted, or not so often/,
    ({
      processors: [
        {
          frontier: {
            options: { queue },
          },
        },
      ],
    }) => {
      queue.insertMany(Float64Array.of(packEntry(0x7f000000, 0xfffffff0)), 0, 1);
    },
  ],
  [
    'an entry is lost from the queue',
    /holds \d+ entries/,
    ({ processors }) => {
      const busy = processors.find(({ frontier: { options: { queue } } }) => queue.size > 0) ?? processors[0];
      const { queue } = busy.frontier.options;
      expect(queue.extractTop(1, new Float64Array(1))).toBe(1);
    },
  ],
  [
    'a clock is set back',
    /clock of processor 1 is at/,
    ({
      processors: [
        ,
        {
          options: { world },
        },
      ],
    }) => {
      (world as { nowUs: number }).nowUs -= 1;
    },
  ],
  [
    'a delay is ignored',
    /broke a host's delay/,
    ({ processors }) => {
      for (const { frontier: { pendingJobs } } of processors) {
        pendingJobs.close = (host) => PendingJobs.prototype.close.call(pendingJobs, host, -1e9);
      }
    },
  ],
  [
    'a page is fetched twice',
    /was fetched twice/,
    (assembly) => {
      const { processor, local } = anyPage(assembly, 'fetched');
      processor.frontier.states.move(local, 'pending');
      processor.frontier.pendingJobs.add(
        packEntry(0x7f000000, local), processor.options.world.hostOf(processor.frontier.states.pageAt(local)),
      );
    },
  ],
  [
    'a queued page is called pending',
    /pages pending and \d+ jobs/,
    (assembly) => {
      const { processor, local } = anyPage(assembly, 'queued');
      processor.frontier.states.move(local, 'pending');
    },
  ],
  [
    'a download is lost',
    /pages in flight and \d+ downloads|account for/,
    ({ processors }) => {
      const processor = processors.find(({ open, drained }) => open + drained.length > 0);
      expect(processor).toBeDefined();
      if (processor === undefined) return;
      if (processor.drained.length > 0) processor.drained = processor.drained.slice(1);
      else processor.open--;
    },
  ],
  [
    'more outcomes are observed than R_x',
    /observed \d+ outcomes in a superstep of at most 16/,
    ({ processors }) => {
      for (const { options } of processors) Object.assign(options, { superstepLimit: () => 1000 });
    },
  ],
];

describe('damage to live state stops the crawl', () => {
  test('an undamaged crawl runs to its end', async () => {
    expect(await crawlDamaged(() => undefined)).toBeUndefined();
  });

  test.each(damages)('%s', async (_, message, damage) => {
    // Fast hosts and no delay, so that supersteps are full and robots busy, except where politeness is the point.
    const input: ExperimentInput = message.source.includes('delay')
      ? {}
      : { politenessMs: 0, superstepMs: 2000, ...(message.source.includes('of at most 16') && { superstepLimit: 16 }) };
    const error = await crawlDamaged(damage, input);
    expect(error).toBeInstanceOf(AssertionError);
    expect((error as Error).message).toMatch(message);
  });
});

import { describe } from 'vitest';
import { MemoryEngine } from '../../../src/machines/cluster/index.ts';
import { describeLog } from '../../conformance/log.ts';

// Goal: the log of a crawl on several machines holds on an engine in memory, whose losses tests and swarms choose.

describe('a log in memory', () => {
  describeLog(async (work) => {
    const engine = new MemoryEngine();
    // Readers that have waited look at their streams: often, so that no test waits for it.
    const timer = setInterval(() => { engine.passTime(); }, 5);
    const nothing = async (): Promise<void> => Promise.resolve();
    try {
      await work({
        connect: async () => Promise.resolve(engine.connect()), interrupt: nothing, settle: nothing,
        loseAll: async () => {
          engine.lose();
          return nothing();
        },
      });
    } finally {
      clearInterval(timer);
    }
  });
});

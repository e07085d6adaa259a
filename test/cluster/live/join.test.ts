import { describe, expect, test } from 'vitest';
import { join, Log, MemoryEngine, type Join, type Joined } from '../../../src/cluster/index.ts';
import { InputError } from '../../../src/base/index.ts';

// Goal: nodes go on from the last checkpoint that all have, with one clock; folders and settings that do not belong
// together are refused by name, by the node that is wrong.

const ids = ['a', 'b', 'c'];

/** What each node gets of joining with the others: what it agrees to, or the message of its refusal. */
async function joined(...nodes: readonly Partial<Join>[]): Promise<(Joined | string)[]> {
  const engine = new MemoryEngine();
  const logs = nodes.map((_, node) => new Log({ streams: engine.connect(), node, nodes: nodes.length, epoch: 1 }));
  const results = await Promise.all(nodes.map(async (own, node) => join(logs[node], {
    identity: { policy: '"opic"' }, id: ids[node], peers: [], checkpoints: [], clockUs: 0, hasEnded: false, ...own,
  }).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    // Its process ends; the others, which wait for whoever comes instead, go on with the epoch of that.
    for (const log of logs) log.fail(new InputError('another epoch has begun'));
    return error.message;
  })));
  for (const log of logs) log.close();
  return results;
}

describe('nodes that belong together', () => {
  test('new folders begin at the start; the latest clock counts; all learn of all folders', async () => {
    const agreed: Joined = { checkpoint: undefined, clockUs: 7, peers: ids, hasEnded: false };
    expect(await joined({ clockUs: 3 }, { clockUs: 7 }, {})).toEqual([agreed, agreed, agreed]);
  });

  test.each<[string, readonly (readonly number[])[], number | undefined]>([
    ['the last that all have', [[4, 9], [4, 9], [4, 9]], 9],
    ['one is behind', [[4, 9], [2, 4], [4, 9]], 4],
    ['one was killed before its first', [[0], [], [0]], undefined],
  ])('they go on from a checkpoint: %s', async (_, checkpoints, expected) => {
    const agreed = await joined(...checkpoints.map((own) => ({ checkpoints: own, peers: ids })));
    expect(agreed).toEqual(Array(3).fill({ checkpoint: expected, clockUs: 0, peers: ids, hasEnded: false }));
  });

  test('the crawl has ended when it has on each', async () => {
    const last = { checkpoints: [5, 6], hasEnded: true };
    expect(await joined(last, last)).toMatchObject([{ hasEnded: true }, { hasEnded: true }]);
    const goesOn = { hasEnded: false, checkpoint: 5 };
    expect(await joined(last, { checkpoints: [3, 5] })).toMatchObject([goesOn, goesOn]);
  });
});

describe('nodes that do not', () => {
  test('another setting is named', async () => {
    expect(await joined({}, { identity: { policy: '"spawc"' } })).toContain(
      'node 1 has other settings: policy is "spawc" there and "opic" here',
    );
  });

  test('a folder that is not the one of the beginning is refused there, and waited for elsewhere', async () => {
    const known = { peers: ['a', 'b'], checkpoints: [2, 4] };
    const [first, second] = await joined(known, { id: 'x' });
    expect(first).toBe('another epoch has begun');
    expect(second).toMatch(/^node 1: its folder is not the one that the crawl began with, which node 0 knows\./);
  });

  test('a folder without a checkpoint, where others have come far', async () => {
    expect(await joined({ checkpoints: [2, 4] }, {})).toContain(
      'node 1: its folder has no checkpoint, and node 0 has come to superstep 4: a lost folder cannot be made again',
    );
  });

  test('an older copy of a folder', async () => {
    expect(await joined({ checkpoints: [6, 8] }, { checkpoints: [2, 4] })).toContain(
      'the folders have no checkpoint in common (node 0 has 6 and 8, node 1 has 2 and 4): one of them is an older copy',
    );
  });
});

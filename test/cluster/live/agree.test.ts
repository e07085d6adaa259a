import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { agree, Log, MemoryEngine, type NodeState, type Agreement } from '../../../src/machines/cluster/index.ts';
import { arrivalSeq, resultSeq } from '../../../src/machines/cluster/crews/nodes.ts';
import { nodeStateSeq, putNodeState } from '../../../src/machines/cluster/live/live-records.ts';
import { encodeRecord } from '../../../src/machines/cluster/records/record.ts';
import { InputError } from '../../../src/base/index.ts';

// Goal: nodes go on from the last checkpoint that all have, with one clock; folders and settings that do not belong
// together are refused by name, by the node that is wrong.

const ids = ['a', 'b', 'c'];

/** What each node agrees to with the others, or the message of its refusal. */
async function agreed(...nodes: readonly Partial<NodeState>[]): Promise<(Agreement | string)[]> {
  const engine = new MemoryEngine();
  const logs = nodes.map((_, node) => new Log({ streams: engine.connect(), node, nodes: nodes.length, epoch: 1 }));
  const results = await Promise.all(nodes.map(async (own, node) => agree(logs[node], {
    identity: { policy: '"opic"' }, id: ids[node], peers: [], checkpoints: [], clockUs: 0, ended: 'nowhere', ...own,
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
    const agreement: Agreement = { checkpoint: undefined, clockUs: 7, peers: ids, ended: 'nowhere' };
    expect(await agreed({ clockUs: 3 }, { clockUs: 7 }, {})).toEqual([agreement, agreement, agreement]);
  });

  test.each<[string, readonly (readonly number[])[], number | undefined]>([
    ['the last that all have', [[4, 9], [4, 9], [4, 9]], 9],
    ['one is behind', [[4, 9], [2, 4], [4, 9]], 4],
    ['one was killed before its first', [[0], [], [0]], undefined],
  ])('they go on from a checkpoint: %s', async (_, checkpoints, expected) => {
    const agreements = await agreed(...checkpoints.map((own) => ({ checkpoints: own, peers: ids })));
    expect(agreements).toEqual(Array(3).fill({ checkpoint: expected, clockUs: 0, peers: ids, ended: 'nowhere' }));
  });

  test('the crawl has ended when it has on each; those that know it go back with one that has not', async () => {
    const known = { checkpoints: [5, 6], peers: ids };
    const here: Partial<NodeState> = { ...known, ended: 'here' };
    const everywhere: Partial<NodeState> = { ...known, ended: 'everywhere' };
    expect(await agreed(here, here, here)).toMatchObject(Array(3).fill({ ended: 'here' }));
    expect(await agreed(everywhere, everywhere, everywhere)).toMatchObject(Array(3).fill({ ended: 'here' }));
    // After a loss of power: what was said to be stored was not.
    const behind = { checkpoints: [3, 5], peers: ids };
    const goOn = Array(3).fill({ ended: 'nowhere', checkpoint: 5 });
    expect(await agreed(everywhere, everywhere, behind)).toMatchObject(goOn);
    expect(await agreed(here, here, behind)).toMatchObject(goOn);
  });
});

describe('a node on which the crawl has ended, and one that has left', () => {
  const own: NodeState = {
    identity: { policy: '"opic"' }, id: 'a', peers: ids, checkpoints: [5, 6], clockUs: 3, ended: 'here',
  };
  /** What node 0 gets of joining epoch 2, where node 1 said this last, in epoch 1, and node 2 nothing. */
  async function after(theirs: Partial<NodeState>, seq: number): Promise<Agreement | undefined> {
    const engine = new MemoryEngine();
    const left = new Log({ streams: engine.connect(), node: 1, nodes: 3, epoch: 1 });
    await left.put(seq, encodeRecord('state', (writer) => {
      putNodeState(writer, { ...own, id: 'b', ended: 'everywhere', ...theirs });
    }));
    left.close();
    const log = new Log({ streams: engine.connect(), node: 0, nodes: 3, epoch: 2 });
    let result: Agreement | undefined;
    agree(log, own).then((agreement) => { result = agreement; }, () => undefined);
    // Nothing here waits for anything but other promises: whatever can happen has happened then.
    await setImmediate();
    log.fail(new Error('enough'));
    log.close();
    return result;
  }

  test.each([nodeStateSeq, resultSeq])('is believed that it has ended everywhere: record %d, earlier epoch', async (seq) => {
    expect(await after({}, seq)).toEqual({ checkpoint: 6, clockUs: 3, peers: ids, ended: 'everywhere' });
  });

  test.each<[string, Partial<NodeState>, number]>([
    ['it did not know of all', { ended: 'here' }, resultSeq],
    ['it has gone on since', {}, arrivalSeq(7)],
    ['that was another crawl', { identity: { policy: '"spawc"' } }, resultSeq],
    ['that was another folder of this node', { peers: ['x', 'b', 'c'] }, resultSeq],
    ['the crawl ended elsewhere then', { checkpoints: [3, 4] }, resultSeq],
  ])('is waited for: %s', async (_, theirs, seq) => {
    expect(await after(theirs, seq)).toBeUndefined();
  });
});

describe('nodes that do not', () => {
  test('another setting is named', async () => {
    expect(await agreed({}, { identity: { policy: '"spawc"' } })).toContain(
      'node 1 has other settings: policy is "spawc" there and "opic" here',
    );
  });

  test('a folder that is not the one of the beginning is refused there, and waited for elsewhere', async () => {
    const known = { peers: ['a', 'b'], checkpoints: [2, 4] };
    const [first, second] = await agreed(known, { id: 'x' });
    expect(first).toBe('another epoch has begun');
    expect(second).toMatch(/^node 1: its folder is not the one that the crawl began with, which node 0 knows\./);
  });

  test('a folder without a checkpoint, where others have come far', async () => {
    expect(await agreed({ checkpoints: [2, 4] }, {})).toContain(
      'node 1: its folder has no checkpoint, and node 0 has come to superstep 4: a lost folder cannot be made again',
    );
  });

  test('an older copy of a folder', async () => {
    expect(await agreed({ checkpoints: [6, 8] }, { checkpoints: [2, 4] })).toContain(
      'the folders have no checkpoint in common (node 0 has 6 and 8, node 1 has 2 and 4): one of them is an older copy',
    );
  });
});

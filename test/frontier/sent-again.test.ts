import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PageIndex } from '../../src/base/index.ts';
import { Frontier, PendingTarget } from '../../src/core/frontier/index.ts';
import { shippedPolicies, type Policy } from '../../src/core/policy/index.ts';
import { createQueue } from '../../src/core/queue/index.ts';
import { tries } from '../sweep.ts';

// Goal: a processor that has forgotten that it has sent a page sends it again, and that changes nothing where it
// arrives. Policies that pass amounts on send a page each time that it is linked to, and remember nothing.

const pages = 40;

function makePolicy(name: string): Policy {
  return shippedPolicies.make(name, {
    processor: 0, processors: 2, seed: 1, seedPages: 1, pendingTarget: () => 4, reinsert: 1.1,
    options: { hostUrls: 2, resetHosts: 5, rankEveryPages: 3, opicWindow: 4, opicRoot: 'none' },
    ranks: new Float64Array(pages).fill(1 / pages), scores: Float64Array.from({ length: pages }, (_, i) => i % 7),
  });
}

function newFrontier(name: string, maxSentPages?: number): Frontier {
  return new Frontier({
    id: 0, pendingTarget: new PendingTarget(4), retries: 1, hostPatienceUs: 0, reinsert: 1.1, rekeysPending: true,
    politenessUs: 0, backoffUs: 1, maxBackoffUs: 1, hostOf: (page) => page % 3, policy: makePolicy(name),
    queue: createQueue({ kind: 'quickheap', block: 4, seed: 1 }), pageIndex: new PageIndex(),
    exchange: { exchange: 'bulk', exchangeBatch: 1, maxSentPages }, ownerOf: (page) => page % 2,
  });
}

const unsent = shippedPolicies.settings.policies.map(({ name }) => name)
  .filter((name) => name !== 'weighted' && makePolicy(name).amounts === undefined);
const even = fc.nat(pages / 2 - 1).map((i) => 2 * i);
const step = fc.record({
  received: fc.array(even, { maxLength: 4 }), again: fc.array(fc.nat(9), { maxLength: 4 }),
  links: fc.uniqueArray(fc.nat(pages - 1), { maxLength: 6 }),
});

/** Fetches the next page, if there is one. @returns it, and the pages sent. */
function superstep(frontier: Frontier, nowUs: number, links: readonly number[]): { page: number; sent: number[] } {
  frontier.insert();
  frontier.refill(nowUs);
  const local = frontier.take(nowUs);
  const page = local < 0 ? -1 : frontier.states.pageAt(local);
  if (local >= 0) {
    const outcome = {
      page, sequence: 0, kind: 'fetched', startedAtUs: nowUs, finishedAtUs: nowUs, bytes: 1, waitUs: 0,
      links: Uint32Array.from(links),
    } as const;
    frontier.release(outcome);
    frontier.complete(outcome);
  }
  const sent: number[] = [];
  frontier.outboxes.send(0, {
    send: (_from, _to, { pages: ids, size }) => { sent.push(...ids.subarray(0, size)); },
  });
  return { page, sent };
}

test('there are policies that send a page once', () => {
  expect(unsent).toEqual(expect.arrayContaining(['breadth-first', 'depth-first', 'random']));
});

test.each(unsent)('by %s the order is the same, whatever is sent again, and to whom', (name) => {
  fc.assert(fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
    const [remembers, forgets] = [newFrontier(name), newFrontier(name, 2)];
    const received: number[] = [];
    const sentOnce = new Set<number>();
    const sentAgain = new Set<number>();
    for (const [i, one] of steps.entries()) {
      for (const page of one.received) {
        for (const frontier of [remembers, forgets]) frontier.credit(frontier.know(page), 0);
        received.push(page);
      }
      // What another processor has forgotten.
      for (const which of one.again)
        if (which < received.length) forgets.credit(forgets.know(received[which]), 0);
      const [once, again] = [remembers, forgets].map((frontier) => superstep(frontier, 10 * i, one.links));
      expect(again.page).toBe(once.page);
      for (const page of once.sent) {
        expect(sentOnce.has(page)).toBe(false);
        sentOnce.add(page);
      }
      for (const page of again.sent) sentAgain.add(page);
      // First mentions are in the same superstep.
      expect([...sentAgain].sort()).toEqual([...sentOnce].sort());
      const state = forgets.save(10 * i);
      expect({ ...state, outboxes: [] }).toEqual({ ...remembers.save(10 * i), outboxes: [] });
      expect(state.outboxes.sentPages.length).toBeLessThan(2);
    }
  }), { seed: 1, numRuns: tries(60) });
});

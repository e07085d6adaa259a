import { describe, expect, test } from 'vitest';
import { outcomeKinds, type Outcome, type World } from '../../src/core/world/index.ts';

/** A World over a web of a few hosts, and what the suite must know of it. */
export interface WorldUnderTest {
  readonly world: World;
  /** Pages that exist, at least six, on at least three hosts, no two neighbours in this list on one host. */
  readonly pages: readonly number[];
  readonly politenessUs: number;
}

async function next(world: World, untilUs: number): Promise<Outcome | undefined> {
  const answer = world.next(untilUs);
  return answer instanceof Promise ? answer : answer;
}

/**
 * The contract of `src/core/world/index.ts`, for every maker of Worlds.
 * @param linksAreFound nothing fails, and the first pages have links.
 * @param rulesDeny rules deny some of the pages.
 */
export function describeWorld(
  name: string, make: () => WorldUnderTest | Promise<WorldUnderTest>, linksAreFound = false, rulesDeny = false,
): void {
  describe(`${name} is a World`, () => {
    test('every started request has exactly one outcome, in the order (finishedAtUs, sequence)', async () => {
      const { world, pages } = await make();
      const hosts = new Set<number>();
      const started = pages.filter((page) => {
        const host = world.hostOf(page);
        if (hosts.has(host)) return false;
        hosts.add(host);
        return true;
      });
      started.forEach((page, sequence) => world.start({ page, sequence, attempt: 0 }));
      const outcomes: Outcome[] = [];
      for (let i = 0; i < started.length; i++) {
        const before = world.nowUs;
        const outcome = await next(world, Infinity);
        expect(outcome).toBeDefined();
        if (outcome === undefined) continue;
        expect(world.nowUs).toBe(Math.max(before, outcome.finishedAtUs));
        expect(outcome.startedAtUs).toBeLessThanOrEqual(outcome.finishedAtUs);
        expect(Number.isInteger(outcome.finishedAtUs)).toBe(true);
        outcomes.push(outcome);
      }
      expect(outcomes.map(({ page }) => page).sort((a, b) => a - b)).toEqual([...started].sort((a, b) => a - b));
      for (let i = 1; i < outcomes.length; i++) {
        const [a, b] = [outcomes[i - 1], outcomes[i]];
        expect(a.finishedAtUs < b.finishedAtUs || (a.finishedAtUs === b.finishedAtUs && a.sequence < b.sequence)).toBe(
          true,
        );
      }
      expect(await next(world, world.nowUs)).toBeUndefined();
    });

    test('round after round, whatever becomes of the pages: one outcome each, in order, reported no later than asked for', async () => {
      const { world, pages, politenessUs } = await make();
      const attempts = new Map<number, number>();
      const readyAtUs = new Map<number, number>();
      let sequence = 0;
      let last = { finishedAtUs: -1, sequence: -1 };
      for (let round = 0; round < 12; round++) {
        const open = new Map<number, number>();
        const chosen = pages.map((_, i) => pages[(i + round) % pages.length]);
        for (const page of chosen) {
          const host = world.hostOf(page);
          if (
            [...open.keys()].some((other) => world.hostOf(other) === host) ||
            (readyAtUs.get(host) ?? 0) > world.nowUs
          )
            continue;
          open.set(page, sequence);
          world.start({ page, sequence: sequence++, attempt: attempts.get(page) ?? 0 });
        }
        const startedAtUs = world.nowUs;
        // In steps at first, so that some are asked for too early.
        for (let step = 1; open.size > 0; step++) {
          const beforeUs = world.nowUs;
          const untilUs = step < 8 ? beforeUs + 40_000 : Infinity;
          const outcome = await next(world, untilUs);
          expect(world.nowUs).toBeGreaterThanOrEqual(beforeUs);
          if (outcome === undefined) {
            expect(world.nowUs).toBe(untilUs);
            continue;
          }
          const { page, kind, finishedAtUs, bytes, waitUs, links } = outcome;
          expect(open.get(page)).toBe(outcome.sequence);
          open.delete(page);
          expect(outcome.startedAtUs).toBe(startedAtUs);
          expect(finishedAtUs).toBeGreaterThanOrEqual(startedAtUs);
          expect(finishedAtUs).toBeLessThanOrEqual(untilUs);
          expect(
            finishedAtUs > last.finishedAtUs ||
              (finishedAtUs === last.finishedAtUs && outcome.sequence > last.sequence),
          ).toBe(true);
          last = outcome;
          expect(outcomeKinds).toContain(kind);
          for (const value of [finishedAtUs, bytes, waitUs])
            expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
          if (kind !== 'fetched') expect(links).toHaveLength(0);
          if (kind !== 'robotsFetched') attempts.set(page, (attempts.get(page) ?? 0) + 1);
          readyAtUs.set(world.hostOf(page), finishedAtUs + Math.max(politenessUs, waitUs));
        }
        await next(world, Math.max(world.nowUs, ...readyAtUs.values()));
      }
      expect(sequence).toBeGreaterThan(12);
      expect(world.politenessBreaches).toBe(0);
    });

    test('next(untilUs) stops at untilUs, and the clock never falls', async () => {
      const { world, pages } = await make();
      expect(await next(world, 1000)).toBeUndefined();
      expect(world.nowUs).toBe(1000);
      expect(await next(world, 500)).toBeUndefined();
      expect(world.nowUs).toBe(1000);
      world.start({ page: pages[0], sequence: 0, attempt: 0 });
      const outcome = await next(world, Infinity);
      expect(outcome?.startedAtUs).toBe(1000);
      expect(world.nowUs).toBe(outcome?.finishedAtUs);
    });

    test('an outcome later than untilUs is stored for the next call', async () => {
      const { world, pages } = await make();
      world.start({ page: pages[0], sequence: 0, attempt: 0 });
      expect(await next(world, 0)).toBeUndefined();
      expect((await next(world, Infinity))?.page).toBe(pages[0]);
    });

    test('waiting for ever with nothing in flight is the fault of the caller', async () => {
      const { world } = await make();
      await expect((async () => next(world, Infinity))()).rejects.toThrow('nothing in flight');
    });

    test('links are page ids, none twice, and hosts are known for them', async () => {
      const { world, pages, politenessUs } = await make();
      const followed: number[] = [];
      let sequence = 0;
      for (const page of pages.slice(0, 3)) {
        // A host may be asked for its robots.txt first.
        for (let kind = 'robotsFetched'; kind === 'robotsFetched'; ) {
          world.start({ page, sequence: sequence++, attempt: 0 });
          const outcome = await next(world, Infinity);
          expect(outcome?.page).toBe(page);
          if (outcome === undefined) return;
          ({ kind } = outcome);
          const links = [...outcome.links];
          expect(new Set(links).size).toBe(links.length);
          for (const link of links) expect(Number.isInteger(world.hostOf(link))).toBe(true);
          followed.push(...links);
          await next(world, outcome.finishedAtUs + Math.max(politenessUs, outcome.waitUs));
        }
      }
      expect(world.politenessBreaches).toBe(0);
      if (linksAreFound) expect(followed.length).toBeGreaterThan(0);
    });

    test('a page that known rules deny ends at once, whenever it is asked for, and its host does not notice', async () => {
      const { world, pages, politenessUs } = await make();
      const readyAtUs = new Map<number, number>();
      const denied = new Set<number>();
      let sequence = 0;
      for (let turn = 0; turn < 3 * pages.length; turn++) {
        const page = pages[turn % pages.length];
        const host = world.hostOf(page);
        await next(world, Math.max(world.nowUs, readyAtUs.get(host) ?? 0));
        for (const asked of pages) {
          const isDenied = world.denies?.(asked) === true;
          const outcome = world.deny?.({ page: asked, sequence, attempt: 0 });
          expect(outcome !== undefined, `page ${asked}`).toBe(isDenied);
          if (outcome === undefined) continue;
          expect(outcome).toEqual({
            page: asked, sequence: sequence++, kind: 'robotsDenied', startedAtUs: world.nowUs,
            finishedAtUs: world.nowUs, bytes: 0, waitUs: 0, links: new Uint32Array(0),
          });
          denied.add(asked);
        }
        expect(world.openDownloads()).toEqual([]);
        expect(await next(world, world.nowUs), 'nothing is left of it').toBeUndefined();
        if (denied.has(page)) continue;
        world.start({ page, sequence: sequence++, attempt: 0 });
        const outcome = await next(world, Infinity);
        expect(outcome?.kind).not.toBe('robotsDenied');
        readyAtUs.set(host, (outcome?.finishedAtUs ?? 0) + Math.max(politenessUs, outcome?.waitUs ?? 0));
      }
      expect(world.politenessBreaches).toBe(0);
      if (rulesDeny) expect(denied.size).toBeGreaterThan(0);
    });

    test('it sees a delay that is not observed', async () => {
      const { world, pages, politenessUs } = await make();
      const host = world.hostOf(pages[0]);
      const other = pages.slice(1).find((page) => world.hostOf(page) === host);
      expect(other, 'the web under test has two pages on one host').toBeDefined();
      world.start({ page: pages[0], sequence: 0, attempt: 0 });
      const first = await next(world, Infinity);
      expect(world.politenessBreaches).toBe(0);
      // A host may ask for more than politeness.
      await next(world, (first?.finishedAtUs ?? 0) + Math.max(politenessUs, first?.waitUs ?? 0) - 1);
      world.start({ page: other ?? 0, sequence: 1, attempt: 0 });
      expect(world.politenessBreaches).toBe(1);
      world.start({ page: pages[0], sequence: 2, attempt: 1 });
      expect(world.politenessBreaches, 'a second download of a host').toBe(2);
    });
  });
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyLimit } from '../../src/core/queue/index.ts';
import { isWeights } from '../../src/core/settings/index.ts';
import type { Policy, PolicyInput, PolicyRegistry, SavedState } from '../../src/core/policy/index.ts';
import { isFullSweep } from '../sweep.ts';

/** What can happen to a policy; numbers choose among what there is. */
type Step =
  | { readonly fetch: number; readonly links: readonly number[] }
  | { readonly fail: number }
  | { readonly receive: readonly (readonly [page: number, amount: number])[] }
  | 'barrier';

const maxPages = 60;
const hostOf = (page: number): number => Math.floor(page / 2) % 7;
/** Pages of two of the hosts are another processor's. */
const isOwn = (page: number): boolean => hostOf(page) < 5;

const page = fc.nat({ max: maxPages - 1 });
const ownPage = page.filter(isOwn);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ fetch: fc.nat({ max: 99 }), links: fc.uniqueArray(page, { maxLength: 9 }) }) },
    { weight: 1, arbitrary: fc.record({ fail: fc.nat({ max: 99 }) }) },
    { weight: 1, arbitrary: fc.record({ receive: fc.array(fc.tuple(ownPage, fc.nat({ max: 5 })), { maxLength: 3 }) }) },
    { weight: 4, arbitrary: fc.constant('barrier' as const) },
  ),
  { minLength: 4, maxLength: 60, size: 'max' },
);

const contexts: fc.Arbitrary<PolicyInput> = fc.record({
  processor: fc.constant(0),
  processors: fc.constantFrom(1, 2, 5),
  seed: fc.nat(),
  seedPages: fc.integer({ min: 1, max: 4 }),
  pendingTarget: fc.integer({ min: 1, max: 9 }).map((jobs) => () => jobs),
  reinsert: fc.constant(1),
  options: fc.record({
    opicRoot: fc.constantFrom('keep' as const, 'known' as const),
    opicWindow: fc.constantFrom(0.05, 1, 30),
    rankEveryPages: fc.integer({ min: 1, max: 12 }),
    hostUrls: fc.integer({ min: 1, max: 4 }),
    resetHosts: fc.integer({ min: 1, max: 4 }),
    weights: fc.constantFrom(
      { opic: 0.7, 'depth-first': 0.3 }, { 'partial-pagerank': 2, 'round-robin': 1, scores: 0.5 },
      { 'larger-sites-first': 1, 'batch-pagerank': 0.2, 'opic-cycle': 0.4, pagerank: 1 },
      { compass: 1, random: 0.1, 'opic-window': 0.5 },
    ),
  }),
  ranks: fc.constant(Float64Array.from({ length: maxPages }, (_, id) => 1 / (1 + ((id * 17) % maxPages)))),
  scores: fc.constant(Float64Array.from({ length: maxPages }, (_, id) => (id * 7) % 5)),
});

/** What a processor remembers of the pages it drives a policy with. */
interface Driven {
  readonly known: number[];
  readonly done: Set<number>;
  /** Keys of pages not done, at the last barrier. */
  keys: number[];
  sentLessReceived: number;
}

/**
 * Does to a policy what a processor does, in its order, and looks at it at each barrier. Returns all that the policy
 * answered.
 */
class Driver {
  readonly policy: Policy;
  readonly driven: Driven;
  readonly trail: number[] = [];
  #touched = new Set<number>();
  readonly #blind: { readonly hosts: boolean; readonly links: boolean };

  /** @param blind what it is shown nothing of. */
  constructor(policy: Policy, driven?: Driven, blind = { hosts: false, links: false }) {
    this.policy = policy;
    this.#blind = blind;
    this.driven =
      driven === undefined ? { known: [], done: new Set(), keys: [], sentLessReceived: 0 } : structuredClone(driven);
  }

  /** Seed pages 0, 1, ..., which are its own. */
  seed(pages: number): this {
    for (let id = 0; id < pages; id++) this.policy.amounts?.seed?.(this.#know(id));
    this.barrier();
    return this;
  }

  play(script: readonly Step[]): this {
    for (const step of script) {
      if (step === 'barrier') this.barrier();
      else if ('receive' in step) this.#receive(step.receive);
      else this.#observe(step);
    }
    this.barrier();
    return this;
  }

  #know(id: number): number {
    const { known } = this.driven;
    const before = known.indexOf(id);
    if (before >= 0) return before;
    this.policy.know(known.push(id) - 1, id, this.#blind.hosts ? 0 : hostOf(id));
    return known.length - 1;
  }

  #credit(local: number, amount: number): void {
    this.policy.amounts?.credit(local, amount);
    this.#touched.add(local);
  }

  #receive(pairs: readonly (readonly [number, number])[]): void {
    for (const [id, amount] of pairs) {
      this.#credit(this.#know(id), amount);
      this.driven.sentLessReceived -= amount;
    }
  }

  #observe(step: { readonly fetch: number; readonly links: readonly number[] } | { readonly fail: number }): void {
    const { known, done } = this.driven;
    const waiting = known.map((_, local) => local).filter((local) => !done.has(local));
    if (waiting.length === 0) return;
    const local = waiting[('fail' in step ? step.fail : step.fetch) % waiting.length];
    done.add(local);
    if ('fail' in step) {
      this.policy.failed?.(local);
      return;
    }
    const share = this.policy.amounts?.spread(local, step.links.length) ?? 0;
    this.trail.push(share);
    const own: number[] = [];
    for (const id of step.links) {
      if (isOwn(id)) {
        own.push(this.#know(id));
        this.#credit(own[own.length - 1], share);
      } else {
        this.driven.sentLessReceived += share;
      }
    }
    const view = Uint32Array.from(this.#blind.links ? [] : own);
    this.policy.fetched?.(local, view, step.links.length);
    // The view is good for the call only.
    view.fill(0xffffffff);
  }

  barrier(): void {
    const { policy, driven: { known, done } } = this;
    const touched: number[] = [];
    policy.settle?.((local) => touched.push(local));
    for (const local of touched) {
      if (!(local >= 0 && local < known.length)) expect.fail(`page ${local} is touched of ${known.length} known`);
      this.#touched.add(local);
    }
    const pages = known
      .map((_, local) => ({ local, key: policy.key(local), score: policy.score(local) }))
      .filter(({ local }) => !done.has(local));
    for (const { local, key, score } of pages) {
      if (!(Number.isInteger(key) && key >= 0 && key < keyLimit)) expect.fail(`page ${local} has key ${key}`);
      if (!(score >= 0 && score < Infinity)) expect.fail(`page ${local} has score ${score}`);
      const before = local in this.driven.keys ? this.driven.keys[local] : key;
      if (key !== before && !this.#touched.has(local))
        expect.fail(`page ${local}, not touched, has key ${key} and had ${before}`);
    }
    const sorted = [...pages].sort((a, b) => a.key - b.key || a.score - b.score);
    for (let i = 1; i < sorted.length; i++) {
      // Rounding may make two scores of one key, never two keys of a score turned round.
      const [{ key: less, score: lower }, { key, score }] = [sorted[i - 1], sorted[i]];
      if (key > less && score < lower * (1 - 2e-7))
        expect.fail(`key ${key} has score ${score}, and key ${less} has ${lower}`);
    }
    this.driven.keys = [];
    for (const { local, key, score } of pages) {
      this.driven.keys[local] = key;
      this.trail.push(key, score);
    }
    const cash = policy.amounts?.cash;
    if (cash !== undefined) expect(cash.held() + this.driven.sentLessReceived).toBe(cash.total);
    this.#touched = new Set();
  }
}

/** Bytes of all typed arrays in what a policy saves. */
function bytesOf(saved: unknown): number {
  if (ArrayBuffer.isView(saved)) return saved.byteLength;
  return saved !== null && typeof saved === 'object'
    ? Object.values(saved).reduce<number>((sum, inner) => sum + bytesOf(inner), 0)
    : 0;
}

/** `toEqual`, which takes most of the suite's time, only where there is something to show. */
function expectSame(ours: readonly number[], theirs: readonly number[]): void {
  if (ours.length !== theirs.length || ours.some((value, i) => value !== theirs[i])) expect(ours).toEqual(theirs);
}

/** What every policy must do, whatever the order of its pages. */
export function policyConformance(registry: PolicyRegistry, name: string, seed: number): void {
  const make = (input: PolicyInput, saved?: SavedState): Policy => registry.make(name, withOptions(input), saved);
  // Settings of a user's policy have their defaults.
  const usual = registry.settings.parseExperiment({}).policyOptions;
  const withOptions = (input: PolicyInput): PolicyInput => ({ ...input, options: { ...usual, ...input.options } });
  const check = (
    given: fc.Arbitrary<{ context: PolicyInput; script: Step[]; at: number }>,
    holds: (one: { context: PolicyInput; script: Step[]; at: number }) => void,
  ): void => fc.assert(fc.property(given, holds), { numRuns: isFullSweep ? 30 : 8, seed });
  const cases = fc.record({ context: contexts, script: steps, at: fc.nat({ max: 59 }) });

  describe(name, () => {
    test('gives keys that fit, in the order of its scores; they change for touched pages only; coins are conserved; the same again', () => {
      check(cases, ({ context, script }) => {
        const one = new Driver(make(context)).seed(context.seedPages).play(script);
        const other = new Driver(make(context)).seed(context.seedPages).play(script);
        expectSame(other.trail, one.trail);
      });
    });

    test('goes on from what it saved as if nothing had happened, and what it saved stays as it was', () => {
      check(cases, ({ context, script, at }) => {
        const first = new Driver(make(context)).seed(context.seedPages).play(script.slice(0, at));
        const driven = structuredClone(first.driven);
        const saved = first.policy.save();
        const cloned = structuredClone(saved);
        const before = first.trail.length;
        first.play(script.slice(at));
        const rest = first.trail.slice(before);
        // The one saved has gone on, and so has one made of its clone: both must have left `saved` alone.
        for (const state of [cloned, saved]) {
          const second = new Driver(make(context, state), driven).play(script.slice(at));
          expectSame(second.trail, rest);
        }
        expect(saved).toEqual(cloned);
      });
    });

    test('rests on what it says it needs, and on no more', () => {
      const { needs, options } = registry.factsOf(name)!;
      // What a composed one needs is what its parts need.
      if (Object.values(options).some(isWeights)) return;
      check(cases, ({ context, script }) => {
        const policy = make(context);
        expect(policy.amounts !== undefined).toBe(needs.includes('amounts'));
        const sees = new Driver(policy).seed(context.seedPages).play(script).trail;
        const blind = { hosts: !needs.includes('hosts'), links: !needs.includes('links') };
        expectSame(new Driver(make(context), undefined, blind).seed(context.seedPages).play(script).trail, sees);
        if (needs.includes('draws')) return;
        const reseeded = make({ ...context, seed: context.seed + 1 });
        expectSame(new Driver(reseeded).seed(context.seedPages).play(script).trail, sees);
      });
    });

    test('does not know what other processors do', () => {
      check(cases, ({ context, script, at }) => {
        const alone = new Driver(make(context))
          .seed(context.seedPages)
          .play(script.slice(0, at))
          .play(script.slice(at));
        const one = new Driver(make(context)).seed(context.seedPages).play(script.slice(0, at));
        new Driver(make({ ...context, seed: context.seed + 1 })).seed(context.seedPages).play([...script].reverse());
        expectSame(one.play(script.slice(at)).trail, alone.trail);
      });
    });

    test('keeps a few words a page and link, and counts what it keeps', () => {
      const pages = 20_000;
      const [context] = fc.sample(contexts, { numRuns: 1, seed });
      const ranks = new Float64Array(pages).fill(1);
      const policy = make({
        ...context, ranks, scores: ranks, options: { ...context.options, rankEveryPages: 2 ** 32 },
      });
      for (let local = 0; local < pages; local++) policy.know(local, local, local % 500);
      const links = 5;
      for (let local = 0; local < pages; local += 2) {
        policy.amounts?.spread(local, links);
        policy.fetched?.(local, Uint32Array.from({ length: links }, (_, i) => (local * 7 + i) % pages), links);
      }
      policy.settle?.(() => undefined);
      const bytes = policy.stateBytes();
      expect(bytes).toBeLessThan(1.125 * (64 * pages + 8 * links * pages) + 500 * 80);
      expect(bytesOf(policy.save())).toBeLessThanOrEqual(bytes + 4 * pages);
    });
  });
}

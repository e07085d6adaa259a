import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  ELSEWHERE, type CrawlStore, type HostRest, type LinkBeyond, type NewPage, type Note, type PageElsewhere, type Reach,
  type RobotsNote, type StoredCheckpoint, type StoredOutcome, type Visit,
} from '../../src/core/live/store/crawl-store.ts';
import { outcomeKinds } from '../../src/core/world/index.ts';
import { AssertionError } from '../../src/base/index.ts';
import { anyCharacter, anyUrl } from '../any-text.ts';
import { tries } from '../sweep.ts';

/** A store that the suite is run on. */
export interface StoreMaker {
  readonly name: string;
  /** An empty store, of a new crawl. */
  readonly make: (settings: unknown) => Promise<CrawlStore>;
  /** The store again after it was closed, by what is left of it; undefined where nothing is. */
  readonly again: ((store: CrawlStore) => Promise<CrawlStore>) | undefined;
}

type Step =
  | {
      note: {
        pages: NewPage[];
        elsewhere: NewPage[];
        visit: Omit<Visit, 'page'> | undefined;
        text: Uint8Array | undefined;
        at: number;
        robots: RobotsNote | undefined;
        rest: HostRest | undefined;
        outcome: StoredOutcome | undefined;
        nearer: [at: number, reach: Reach][];
        beyond: [at: number, links: LinkBeyond[]][];
        reached: [at: number, ids: Uint32Array][];
      };
    }
  | { checkpoint: StoredCheckpoint }
  | { goBackTo: number }
  | { mark: [name: string, text: string] }
  | 'await'
  | 'reopen';

const count32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const amount = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const url = fc.oneof(anyUrl, fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => `https://h/${text}`));
/** Left out or more than 0: stores need not tell these apart. */
const reachOf = {
  depth: count32, redirects: fc.nat(255), hops: fc.option(fc.integer({ min: 1, max: 255 }), { nil: undefined }),
};
const reach: fc.Arbitrary<Reach> = fc.record(reachOf);
const newPage: fc.Arbitrary<NewPage> = fc.record({ url, ...reachOf });
const linkBeyond: fc.Arbitrary<LinkBeyond> = fc.record({
  place: count32, to: fc.oneof(url, fc.integer({ min: 0, max: 2 ** 32 - 2 })),
});
const links = fc
  .oneof(fc.array(count32, { maxLength: 5 }), fc.constant(Array.from({ length: 3000 }, (_, i) => i)))
  .map((ids) => Uint32Array.from(ids));
const visit: fc.Arbitrary<Omit<Visit, 'page'>> = fc.record({
  kind: fc.constantFrom('fetched', 'notFound', 'rejected'),
  bytes: amount, waitUs: amount, finishedAtUs: amount, links, byRedirect: fc.boolean(),
  digest: fc.constantFrom('', 'ab'.repeat(32)),
  warc: fc.option(fc.record({ file: count32, end: amount }), { nil: undefined }),
});
const text = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(new Uint8Array(10_000).fill(7)))
  .map((bytes) => Uint8Array.from(bytes));
const robots: fc.Arbitrary<RobotsNote> = fc.record({
  origin: fc.oneof(
    fc.constantFrom('https://a.example', 'http://b.example:8080'),
    fc.constant(`https://${'long.'.repeat(500)}example`),
  ),
  status: fc.integer({ min: 0, max: 999 }),
  fetchedAtMs: amount,
  expiresAtMs: amount,
  body: fc.uint8Array({ maxLength: 40 }).map((bytes) => Uint8Array.from(bytes)),
});
const rest: fc.Arbitrary<HostRest> = fc.record({
  host: fc.oneof(fc.constantFrom('a.example', 'b.example:8080'), fc.constant(`${'long.'.repeat(500)}example`)),
  failures: count32, sinceMs: amount, restMs: amount,
});
/** Few, so that outcomes end at barriers, before and after them, and checkpoints meet. */
const momentUs = fc.integer({ min: 0, max: 9 });
const outcome: fc.Arbitrary<StoredOutcome> = fc.record({
  processor: count32, page: count32, kind: fc.constantFrom(...outcomeKinds), bytes: amount, waitUs: amount,
  startedAtUs: momentUs, finishedAtUs: momentUs,
});
const checkpoint: fc.Arbitrary<StoredCheckpoint> = fc.record({
  superstep: momentUs, barrierUs: momentUs,
  state: fc.uint8Array({ maxLength: 100 }).map((bytes) => Uint8Array.from(bytes)),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      note: fc.record({
        pages: fc.array(newPage, { maxLength: 5 }), elsewhere: fc.array(newPage, { maxLength: 5 }),
        visit: fc.option(visit, { nil: undefined }), at: fc.nat(), text: fc.option(text, { nil: undefined }),
        robots: fc.option(robots, { nil: undefined }), rest: fc.option(rest, { nil: undefined }),
        outcome: fc.option(outcome, { nil: undefined }),
        nearer: fc.array(fc.tuple(fc.nat(), reach), { maxLength: 3 }),
        beyond: fc.array(fc.tuple(fc.nat(), fc.array(linkBeyond, { maxLength: 4 })), { maxLength: 2 }),
        reached: fc.array(fc.tuple(fc.nat(), links), { maxLength: 2 }),
      }),
    }),
  },
  { weight: 2, arbitrary: checkpoint.map((one) => ({ checkpoint: one })) },
  { weight: 1, arbitrary: momentUs.map((superstep) => ({ goBackTo: superstep })) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('a', 'b'), fc.string()).map((mark) => ({ mark })) },
  { weight: 2, arbitrary: fc.constantFrom<Step>('await', 'reopen') },
);

/** The dullest correct store. */
class Model {
  readonly pages: NewPage[] = [];
  readonly elsewhere: PageElsewhere[] = [];
  readonly visits: (Visit | undefined)[] = [];
  readonly beyond = new Map<number, readonly LinkBeyond[]>();
  readonly reached = new Map<number, string>();
  readonly texts: (string | undefined)[] = [];
  readonly robots = new Map<string, RobotsNote>();
  readonly rests = new Map<string, HostRest>();
  readonly marks = new Map<string, string>();
  outcomes: StoredOutcome[] = [];
  checkpoints: StoredCheckpoint[] = [];

  addCheckpoint(added: StoredCheckpoint): void {
    const before = this.checkpoints.filter(({ superstep }) => superstep < added.superstep);
    this.checkpoints = [...before.slice(-1), added];
    this.outcomes = this.outcomes.filter(({ finishedAtUs }) => finishedAtUs > this.checkpoints[0].barrierUs);
  }

  note({ pages, elsewhere = [], visit, text, robots, rest, outcome, nearer, beyond, reached }: Note): void {
    this.pages.push(...pages);
    for (const page of elsewhere) this.elsewhere.push({ ...page, page: ELSEWHERE + this.elsewhere.length });
    for (const [page, now] of nearer ?? []) {
      if (page < ELSEWHERE) this.pages[page] = { ...this.pages[page], ...now };
      else this.elsewhere[page - ELSEWHERE] = { ...this.elsewhere[page - ELSEWHERE], ...now };
    }
    for (const [page, links] of beyond ?? []) this.beyond.set(page, links);
    for (const [page, ids] of reached ?? []) this.reached.set(page, ids.join());
    if (visit) this.visits[visit.page] = visit;
    if (visit && text) this.texts[visit.page] = text.join();
    if (robots) this.robots.set(robots.origin, robots);
    if (rest) this.rests.set(rest.host, rest);
    if (outcome) this.outcomes.push(outcome);
  }
}

/** A visit with its links as a text: `toEqual` takes its time for each of thousands of numbers. */
function comparable(visit: Visit | undefined): object | undefined {
  return visit && { ...visit, links: `${visit.links.constructor.name} ${visit.links.join()}` };
}

function expectSameElsewhere(store: CrawlStore, { elsewhere }: Model): void {
  expect(store.elsewhereCount).toBe(elsewhere.length);
  expect(Array.from(store.pagesElsewhere(), (page, i) => ({ ...page, page: ELSEWHERE + i }))).toEqual(elsewhere);
  for (let i = 0; i <= elsewhere.length; i += 1 + (i >> 4)) {
    const page = store.pageAt(ELSEWHERE + i);
    expect(page && { ...page, page: ELSEWHERE + i }).toEqual(elsewhere.at(i));
    const url = elsewhere.at(i)?.url ?? 'https://none/';
    // Of several with the same URL, which no crawl has, the last one counts.
    expect(store.findElsewhere(url)).toEqual(elsewhere.findLast((one) => one.url === url));
  }
}

function expectSame(store: CrawlStore, model: Model): void {
  expect(store.pageCount).toBe(model.pages.length);
  expect([...store.pages()]).toEqual(model.pages);
  for (let page = 0; page <= model.pages.length; page += 1 + (page >> 4))
    expect(store.pageAt(page)).toEqual(model.pages[page]);
  expectSameElsewhere(store, model);
  expect(Array.from(store.visits(), comparable))
    .toEqual(model.visits.filter((one) => one !== undefined).map(comparable));
  for (let page = 0; page <= model.pages.length; page++) {
    expect(comparable(store.visit(page))).toEqual(comparable(model.visits[page]));
    expect(store.text(page)?.join()).toBe(model.texts[page]);
    expect(store.beyond(page)).toEqual(model.beyond.get(page) ?? []);
    expect(store.reached(page)?.join()).toBe(model.reached.get(page));
  }
  expect([...store.reachedPages()].sort((a, b) => a - b)).toEqual([...model.reached.keys()].sort((a, b) => a - b));
  expect(store.hasTexts).toBe(model.texts.some((one) => one !== undefined));
  const byOrigin = (a: RobotsNote, b: RobotsNote): number => (a.origin < b.origin ? -1 : 1);
  expect([...store.robots()].sort(byOrigin)).toEqual([...model.robots.values()].sort(byOrigin));
  const byHost = (a: HostRest, b: HostRest): number => (a.host < b.host ? -1 : 1);
  expect([...store.rests()].sort(byHost)).toEqual([...model.rests.values()].sort(byHost));
  expect([...store.outcomes()]).toEqual(model.outcomes);
  expect(store.checkpoints()).toEqual(model.checkpoints.map(({ superstep }) => superstep));
  const last = model.checkpoints.at(-1);
  expect(store.lastBarrierUs).toBe(last?.barrierUs ?? 0);
  const bytesOf = (state: Uint8Array | undefined): number[] | undefined => state && [...state];
  expect(bytesOf(store.checkpointOf())).toEqual(bytesOf(last?.state));
  for (const { superstep, state } of model.checkpoints)
    expect(bytesOf(store.checkpointOf(superstep))).toEqual([...state]);
  for (const name of ['a', 'b']) expect(store.marked(name)).toBe(model.marks.get(name));
}

/** The suite that every CrawlStore must pass. */
export function describeCrawlStore({ name, make, again }: StoreMaker): void {
  describe(name, () => {
    const open = new Set<CrawlStore>();
    const opened = async (promise: Promise<CrawlStore>): Promise<CrawlStore> => {
      const store = await promise;
      open.add(store);
      return store;
    };
    const closed = async (store: CrawlStore): Promise<void> => {
      open.delete(store);
      await store.close();
    };
    afterEach(async () => {
      for (const store of open) await closed(store);
    });

    test('random notes, checkpoints and reopenings: all is there as it was noted', async () => {
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        let store = await opened(make({ seed: 7 }));
        const model = new Model();
        let reported: Promise<void>[] = [];
        for (const one of steps) {
          if (one === 'await' || one === 'reopen') {
            if (one === 'await') await Promise.all(reported);
            reported = [];
            if (one === 'reopen' && again) {
              await closed(store);
              store = await opened(again(store));
              expect(store.settings).toEqual({ seed: 7 });
            }
            if (one === 'await' || again) expectSame(store, model);
          } else if ('checkpoint' in one) {
            const state = one.checkpoint.state.slice();
            reported.push(store.checkpoint({ ...one.checkpoint, state }));
            state.fill(0);
            model.addCheckpoint(one.checkpoint);
          } else if ('goBackTo' in one) {
            reported.push(store.goBackTo(one.goBackTo));
            model.checkpoints = model.checkpoints.filter(({ superstep }) => superstep <= one.goBackTo);
          } else if ('mark' in one) {
            reported.push(store.mark(...one.mark));
            model.marks.set(...one.mark);
          } else {
            const { pages, elsewhere, at, robots: robotsNote, rest: restNote, outcome: outcomeNote } = one.note;
            const known = model.pages.length + pages.length;
            const visitNote = one.note.visit && known > 0 ? { ...one.note.visit, page: at % known } : undefined;
            const textNote = visitNote && one.note.text;
            const ids = [
              ...Array.from({ length: known }, (_, id) => id),
              ...[...model.elsewhere, ...elsewhere].map((_, i) => ELSEWHERE + i),
            ];
            const byPage = <T>(drawn: readonly (readonly [number, T])[], pages: readonly number[]): Map<number, T> => (
              new Map(pages.length === 0 ? [] : drawn.map(([place, value]) => [pages[place % pages.length], value]))
            );
            const note: Note = {
              firstPage: model.pages.length, pages, firstElsewhere: ELSEWHERE + model.elsewhere.length, elsewhere,
              visit: visitNote, text: textNote, robots: robotsNote, rest: restNote, outcome: outcomeNote,
              nearer: byPage(one.note.nearer, ids), beyond: byPage(one.note.beyond, ids.slice(0, known)),
              reached: byPage(one.note.reached, ids.slice(0, known)),
            };
            // What is handed over is the caller's again at once.
            const mine = visitNote && { ...visitNote, links: visitNote.links.slice() };
            const mineToo = textNote?.slice();
            reported.push(store.note({ ...note, visit: mine, text: mineToo }));
            mine?.links.fill(0);
            mineToo?.fill(0);
            model.note(note);
          }
        }
        await Promise.all(reported);
        expectSame(store, model);
        await closed(store);
      }), { numRuns: tries(40) });
    });

    test('a new store is empty and keeps its settings', async () => {
      const settings = { seeds: ['https://a.example/'], agents: { 'ü\n': [1, null, true] } };
      const store = await opened(make(settings));
      expectSame(store, new Model());
      expect(store.settings).toEqual(settings);
    });

    test('many pages in one note, and an empty note', async () => {
      const store = await opened(make({}));
      const model = new Model();
      for (const count of [0, 5000, 0, 1]) {
        const firstPage = model.pages.length;
        const pages = Array.from({ length: count }, (_, i) => ({
          url: `https://a.example/${firstPage + i}`,
          depth: i,
          redirects: 0,
        }));
        const note = {
          firstPage, pages, firstElsewhere: ELSEWHERE + firstPage,
          elsewhere: pages.map(({ url: here, ...page }) => ({ url: here.replace('a', 'b'), ...page })),
        };
        await store.note(note);
        model.note(note);
      }
      expectSame(store, model);
    });

    test('hosts of other machines have the numbers that they were noted with', async () => {
      let store = await opened(make({}));
      const numbers = new Map(Array.from({ length: 3000 }, (_, i) => [`${'long.'.repeat(i % 200)}h${i}`, i]));
      await store.noteHosts(numbers);
      await store.noteHosts(new Map([['last', 2 ** 31]]));
      if (again) {
        await closed(store);
        store = await opened(again(store));
      }
      for (const [host, number] of numbers) expect(store.hostElsewhere(host)).toBe(number);
      expect([store.hostElsewhere('last'), store.hostElsewhere('none')]).toEqual([2 ** 31, undefined]);
    });

    test('reading may stop halfway, and go on while notes come', async () => {
      const store = await opened(make({}));
      const pages = Array.from({ length: 10 }, (_, i) => ({ url: `https://a.example/${i}`, depth: 0, redirects: 0 }));
      for (const [i, page] of pages.entries()) await store.note({ firstPage: i, pages: [page] });
      for (const page of store.pages()) if (page.url.endsWith('3')) break;
      const read: string[] = [];
      for (const page of store.pages()) {
        read.push(page.url);
        if (read.length === 5)
          await store.note({ firstPage: 10, pages: [{ url: 'https://a.example/late', depth: 1, redirects: 0 }] });
      }
      expect(read.slice(0, 10)).toEqual(pages.map((page) => page.url));
      expect(store.pageCount).toBe(11);
    });

    test('a gap in the ids, or a visit of a page that is not known, is a fault of the caller and changes nothing', async () => {
      const store = await opened(make({}));
      const page: NewPage = { url: 'https://a.example/', depth: 0, redirects: 0 };
      const visited = (id: number): Visit => ({
        page: id, kind: 'fetched', bytes: 1, waitUs: 0, finishedAtUs: 1, links: new Uint32Array(), digest: '',
        warc: undefined,
      });
      expect(() => store.note({ firstPage: 1, pages: [page] })).toThrow(AssertionError);
      expect(() => store.note({ firstPage: 0, pages: [], visit: visited(0) })).toThrow(AssertionError);
      for (const id of [0, ELSEWHERE]) {
        const nearer = new Map([[id, { depth: 0, redirects: 0 }]]);
        expect(() => store.note({ firstPage: 0, pages: [], nearer })).toThrow(AssertionError);
      }
      for (const firstElsewhere of [undefined, 0, ELSEWHERE + 1]) {
        const note = { firstPage: 0, pages: [], firstElsewhere, elsewhere: [page] };
        expect(() => store.note(note)).toThrow(AssertionError);
      }
      await store.note({ firstPage: 0, pages: [page], visit: visited(0) });
      expect(() => store.note({ firstPage: 0, pages: [page] })).toThrow(AssertionError);
      expect([...store.pages()]).toEqual([page]);
    });
  });
}

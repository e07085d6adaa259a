import { assert } from '../../base/index.ts';
import type { CrawlStore, HostRest, NewPage, Note, RobotsNote, Visit } from './crawl-store.ts';

/** A store that ends with its process: for tests, and for crawls that need not be resumed. */
export class MemoryStore implements CrawlStore {
  readonly settings: unknown;
  readonly #pages: NewPage[] = [];
  readonly #visits = new Map<number, Visit>();
  readonly #robots = new Map<string, RobotsNote>();
  readonly #rests = new Map<string, HostRest>();
  #checkpoint: Uint8Array | undefined;

  constructor(settings: unknown) {
    this.settings = structuredClone(settings);
  }

  get pageCount(): number {
    return this.#pages.length;
  }

  pages(): Iterable<NewPage> {
    return this.#pages.values();
  }

  visit(page: number): Visit | undefined {
    return this.#visits.get(page);
  }

  *visits(): Iterable<Visit> {
    for (let page = 0; page < this.#pages.length; page++) {
      const visit = this.#visits.get(page);
      if (visit) yield visit;
    }
  }

  robots(): Iterable<RobotsNote> {
    return this.#robots.values();
  }

  rests(): Iterable<HostRest> {
    return this.#rests.values();
  }

  note({ firstPage, pages, visit, robots, rest }: Note): Promise<void> {
    checkNote({ firstPage, pages, visit }, this.#pages.length);
    for (const page of pages) this.#pages.push({ ...page });
    if (visit) this.#visits.set(visit.page, { ...visit, links: visit.links.slice() });
    if (robots) this.#robots.set(robots.origin, { ...robots, body: robots.body.slice() });
    if (rest) this.#rests.set(rest.host, { ...rest });
    return Promise.resolve();
  }

  checkpoint(state: Uint8Array): Promise<void> {
    this.#checkpoint = state.slice();
    return Promise.resolve();
  }

  lastCheckpoint(): Uint8Array | undefined {
    return this.#checkpoint;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Asserts that ids have no gaps and that the visited page is known. `count`: pages noted before. */
export function checkNote({ firstPage, pages, visit }: Note, count: number): void {
  assert(firstPage === count || pages.length === 0, () => `new pages begin at ${firstPage}, but ${count} are known`);
  assert(
    visit === undefined || visit.page < count + pages.length,
    () => `a visit of the unknown page ${visit?.page ?? ''}`,
  );
}

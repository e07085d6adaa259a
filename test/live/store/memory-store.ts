import {
  checkNote, ELSEWHERE, type CrawlStore, type HostRest, type LinkBeyond, type NewPage, type Note, type PageElsewhere,
  type Reach, type RobotsNote, type StoredCheckpoint, type StoredOutcome, type Visit,
} from '../../../src/core/live/store/crawl-store.ts';

/** A store that ends with its process. */
export class MemoryStore implements CrawlStore {
  readonly settings: unknown;
  readonly #pages: NewPage[] = [];
  readonly #elsewhere = new Map<string, PageElsewhere>();
  readonly #pagesElsewhere: NewPage[] = [];
  readonly #hostsElsewhere = new Map<string, number>();
  readonly #visits = new Map<number, Visit>();
  readonly #beyond = new Map<number, readonly LinkBeyond[]>();
  readonly #reached = new Map<number, Uint32Array>();
  readonly #texts = new Map<number, Uint8Array>();
  readonly #robots = new Map<string, RobotsNote>();
  readonly #rests = new Map<string, HostRest>();
  readonly #marks = new Map<string, string>();
  #outcomes: StoredOutcome[] = [];
  #checkpoints: readonly StoredCheckpoint[] = [];

  constructor(settings: unknown) {
    this.settings = structuredClone(settings);
  }

  get pageCount(): number {
    return this.#pages.length;
  }

  get elsewhereCount(): number {
    return this.#pagesElsewhere.length;
  }

  pages(): Iterable<NewPage> {
    return this.#pages.values();
  }

  pagesElsewhere(): Iterable<NewPage> {
    return this.#pagesElsewhere.values();
  }

  pageAt(page: number): NewPage | undefined {
    return page < ELSEWHERE ? this.#pages[page] : this.#pagesElsewhere[page - ELSEWHERE];
  }

  findElsewhere(url: string): PageElsewhere | undefined {
    return this.#elsewhere.get(url);
  }

  hostElsewhere(host: string): number | undefined {
    return this.#hostsElsewhere.get(host);
  }

  noteHosts(numbers: ReadonlyMap<string, number>): Promise<void> {
    for (const [host, number] of numbers) this.#hostsElsewhere.set(host, number);
    return Promise.resolve();
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

  beyond(page: number): readonly LinkBeyond[] {
    return this.#beyond.get(page) ?? [];
  }

  reached(page: number): Uint32Array | undefined {
    return this.#reached.get(page);
  }

  reachedPages(): Iterable<number> {
    return this.#reached.keys();
  }

  text(page: number): Uint8Array | undefined {
    return this.#texts.get(page);
  }

  get hasTexts(): boolean {
    return this.#texts.size > 0;
  }

  robots(): Iterable<RobotsNote> {
    return this.#robots.values();
  }

  rests(): Iterable<HostRest> {
    return this.#rests.values();
  }

  outcomes(): Iterable<StoredOutcome> {
    return this.#outcomes.values();
  }

  note(note: Note): Promise<void> {
    const { pages, elsewhere = [], nearer = [], beyond = [], reached = [], visit, text, robots, rest, outcome } = note;
    checkNote(note, this.#pages.length, this.#pagesElsewhere.length);
    for (const page of pages) this.#pages.push({ ...page });
    for (const page of elsewhere) {
      this.#elsewhere.set(page.url, { ...page, page: ELSEWHERE + this.#pagesElsewhere.length });
      this.#pagesElsewhere.push({ ...page });
    }
    for (const [page, reach] of nearer) this.#lower(page, { ...reach });
    for (const [page, links] of beyond) this.#beyond.set(page, links.map((link) => ({ ...link })));
    for (const [page, ids] of reached) this.#reached.set(page, ids.slice());
    if (visit) this.#visits.set(visit.page, { ...visit, links: visit.links.slice() });
    if (visit && text) this.#texts.set(visit.page, text.slice());
    if (robots) this.#robots.set(robots.origin, { ...robots, body: robots.body.slice() });
    if (rest) this.#rests.set(rest.host, { ...rest });
    if (outcome) this.#outcomes.push({ ...outcome });
    return Promise.resolve();
  }

  #lower(page: number, reach: Reach): void {
    if (page < ELSEWHERE) {
      this.#pages[page] = { ...this.#pages[page], hops: undefined, ...reach };
      return;
    }
    const { url } = this.#pagesElsewhere[page - ELSEWHERE];
    this.#pagesElsewhere[page - ELSEWHERE] = { url, ...reach };
    const byUrl = this.#elsewhere.get(url);
    if (byUrl?.page === page) this.#elsewhere.set(url, { ...byUrl, hops: undefined, ...reach });
  }

  checkpoint({ superstep, barrierUs, state }: StoredCheckpoint): Promise<void> {
    const older = this.#checkpoints.filter((stored) => stored.superstep < superstep).slice(-1);
    this.#checkpoints = [...older, { superstep, barrierUs, state: state.slice() }];
    const fromUs = this.#checkpoints[0].barrierUs;
    this.#outcomes = this.#outcomes.filter(({ finishedAtUs }) => finishedAtUs > fromUs);
    return Promise.resolve();
  }

  get lastBarrierUs(): number {
    return this.#checkpoints.at(-1)?.barrierUs ?? 0;
  }

  checkpoints(): readonly number[] {
    return this.#checkpoints.map(({ superstep }) => superstep);
  }

  checkpointOf(superstep = this.#checkpoints.at(-1)?.superstep): Uint8Array | undefined {
    return this.#checkpoints.find((stored) => stored.superstep === superstep)?.state;
  }

  goBackTo(superstep: number): Promise<void> {
    this.#checkpoints = this.#checkpoints.filter((stored) => stored.superstep <= superstep);
    return Promise.resolve();
  }

  mark(name: string, text: string): Promise<void> {
    this.#marks.set(name, text);
    return Promise.resolve();
  }

  marked(name: string): string | undefined {
    return this.#marks.get(name);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

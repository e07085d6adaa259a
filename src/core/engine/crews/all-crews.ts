import type { Traffic, Transport } from '../../bsp/index.ts';
import type { CashHeld } from '../../scheduler/index.ts';
import type { Arrival, Crew, Revived, Settled, Standing, SuperstepWork, Worked } from './crew.ts';

/** All crews of a crawl, and the states of their processors. A superstep costs nothing for processors at rest. */
export class AllCrews {
  readonly ids: readonly number[];
  /** Pages that processors have observed as fetched, and downloads open or not yet observed. */
  fetched = 0;
  inFlight = 0;
  readonly #crews: readonly Crew[];
  /** The crew of each processor. */
  readonly #crewOf: Crew[] = [];
  readonly #standings: { -readonly [K in keyof Standing]: Standing[K] }[] = [];
  /** Processors that are not at rest, ascending. */
  #awake: readonly number[];

  constructor(crews: readonly Crew[]) {
    this.#crews = crews;
    this.ids = crews.flatMap(({ ids }) => ids).sort((a, b) => a - b);
    this.#awake = this.ids;
    for (const crew of crews) {
      for (const id of crew.ids) this.#crewOf[id] = crew;
      this.#setAll(crew, crew.standings);
    }
  }

  /** The state of a processor at the last barrier. */
  standing(id: number): Standing {
    return this.#standings[id];
  }

  /** Whether no processor has anything to do without a message. */
  get areIdle(): boolean {
    return this.#awake.every((id) => this.#standings[id].isIdle);
  }

  /**
   * The processors that work in a superstep, ascending: those that are not at rest, and those that a message or a
   * change waits for. One at least, so that each superstep has a row; all where a checkpoint is taken.
   */
  atWork(superstep: number, transport: Pick<Transport, 'receivers'>, isCheckpoint: boolean): readonly number[] {
    const changes = this.#crews.flatMap((crew) => crew.asked(superstep));
    if (isCheckpoint) return this.ids;
    const ids = union(this.#awake, transport.receivers(), changes);
    return ids.length === 0 ? this.ids.slice(0, 1) : ids;
  }

  /** Crews are called in order: those elsewhere work while this thread does. */
  async begin({ tasks, ...work }: SuperstepWork): Promise<Arrival> {
    const crews = this.#crews;
    const arrivals = await Promise.all(crews.map((crew) => crew.begin({
      ...work, tasks: crews.length === 1 ? tasks : tasks.filter(({ id }) => this.#crewOf[id] === crew),
    })));
    if (arrivals.length === 1) return arrivals[0];
    const sum = (of: (arrival: Arrival) => number): number => arrivals.reduce((total, next) => total + of(next), 0);
    const observed = byId(crews.flatMap(({ ids }, i) =>
      arrivals[i].observed.map((counts, at) => ({ id: ids[at], counts }))));
    return {
      arrivedUs: Math.max(...arrivals.map(({ arrivedUs }) => arrivedUs)),
      // Sorted by sender, as a single crew sends them: the transport is slow with any other order.
      sent: arrivals.flatMap(({ sent }) => sent).sort((a, b) => a.from - b.from),
      observed: observed.map(({ counts }) => counts), known: sum(({ known }) => known),
      cashChanges: sum(({ cashChanges }) => cashChanges),
    };
  }

  /**
   * Returns the processors that have a row: at least one, and none that received something without effect.
   * @param ids the processors at work.
   * @param received traffic of the barrier, which rouses processors from their rest.
   */
  async settle(
    ids: readonly number[],
    { barrierUs, countsCash, received }: {
      readonly barrierUs: number; readonly countsCash: boolean; readonly received: ReadonlyMap<number, Traffic>;
    },
  ): Promise<{ readonly worked: readonly Worked[]; readonly cash: readonly (CashHeld | undefined)[] }> {
    const atWork = new Set(ids);
    const roused = [...received.keys()].filter((id) => !atWork.has(id)).sort((a, b) => a - b);
    const settled: readonly Settled[] = await Promise.all(this.#crews.map((crew) => crew.settle({
      barrierUs, countsCash, roused: roused.filter((id) => this.#crewOf[id] === crew),
    })));
    const all = settled.length === 1 ? settled[0].worked : byId(settled.flatMap((crew) => crew.worked));
    const awake: number[] = [];
    const worked = all.filter(({ id, standing }) => {
      const rested = this.#standings[id].isAtRest && standing.isAtRest;
      this.#set(id, standing);
      if (!standing.isAtRest) awake.push(id);
      return !rested || received.has(id);
    });
    this.#awake = awake;
    return { worked: worked.length === 0 ? all.slice(0, 1) : worked, cash: settled.map(({ cash }) => cash) };
  }

  /** Returns the wasted work, by ascending number. */
  async revive(resumedUs: number): Promise<Revived['inVain']> {
    // Async, so that no synchronous exception leaves the promises of other crews unhandled.
    const revived = await Promise.all(this.#crews.map(async (crew) => crew.revive(resumedUs)));
    revived.forEach(({ standings }, i) => { this.#setAll(this.#crews[i], standings); });
    this.#awake = this.ids;
    return byId(revived.flatMap(({ inVain }) => inVain));
  }

  #setAll({ ids }: Crew, standings: readonly Standing[]): void {
    ids.forEach((id, i) => { this.#set(id, standings[i]); });
  }

  /** Writes into the same object: new objects for many processors would outlive the young generation. */
  #set(id: number, { hasWork, isIdle, isAtRest, fetched, inFlight }: Standing): void {
    const standing = (this.#standings[id] ??= { hasWork, isIdle, isAtRest, fetched: 0, inFlight: 0 });
    this.fetched += fetched - standing.fetched;
    this.inFlight += inFlight - standing.inFlight;
    standing.hasWork = hasWork;
    standing.isIdle = isIdle;
    standing.isAtRest = isAtRest;
    standing.fetched = fetched;
    standing.inFlight = inFlight;
  }
}

/** The numbers of all these ascending lists, each once. */
function union(first: readonly number[], ...others: readonly (readonly number[])[]): readonly number[] {
  if (others.every(({ length }) => length === 0)) return first;
  return [...new Set([...first, ...others.flat()])].sort((a, b) => a - b);
}

function byId<T extends { readonly id: number }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => a.id - b.id);
}

import type {
  Arrival, Crew, Revived, Settled, Settlement, Standing, SuperstepWork,
} from '../../../core/engine/index.ts';
import type { NodePages } from './node-card.ts';

/** A crew whose pages are counted as it works, for those who watch the node. */
export class CountedCrew implements Crew {
  readonly ids: readonly number[];
  readonly standings: readonly Standing[];
  readonly #crew: Crew;
  /** Pages fetched, by processor; pages known. */
  readonly #fetched = new Map<number, number>();
  #known: number | undefined;

  constructor(crew: Crew) {
    this.ids = crew.ids;
    this.standings = crew.standings;
    this.#crew = crew;
    this.#stand(crew.standings);
  }

  get pages(): NodePages {
    let fetched = 0;
    for (const pages of this.#fetched.values()) fetched += pages;
    return { fetched, known: this.#known };
  }

  asked(superstep: number): readonly number[] {
    return this.#crew.asked(superstep);
  }

  async begin(work: SuperstepWork): Promise<Arrival> {
    const arrival = await this.#crew.begin(work);
    this.#known = arrival.known;
    return arrival;
  }

  async settle(settlement: Settlement): Promise<Settled> {
    const settled = await this.#crew.settle(settlement);
    for (const { id, standing } of settled.worked) this.#fetched.set(id, standing.fetched);
    return settled;
  }

  async revive(resumedUs: number): Promise<Revived> {
    const revived = await this.#crew.revive(resumedUs);
    this.#stand(revived.standings);
    return revived;
  }

  /** @param standings in the order of the processors. */
  #stand(standings: readonly Standing[]): void {
    standings.forEach(({ fetched }, i) => this.#fetched.set(this.ids[i], fetched));
  }
}

import type { Crew, Standing } from '../../../core/engine/index.ts';
import type { NodePages } from './node-card.ts';

/** A crew whose pages are counted as it works, for those who watch the node. */
export interface CountedCrew extends Crew {
  readonly pages: NodePages;
}

export function countedCrew(crew: Crew): CountedCrew {
  const { ids, standings } = crew;
  /** Pages fetched, by processor. */
  const fetchedBy = new Map<number, number>();
  let pagesKnown: number | undefined;
  /** @param all in the order of the processors. */
  const stand = (all: readonly Standing[]): void => {
    all.forEach(({ fetched }, i) => fetchedBy.set(ids[i], fetched));
  };
  stand(standings);
  return {
    ids, standings, asked: (superstep) => crew.asked(superstep),
    get pages() {
      return { fetched: [...fetchedBy.values()].reduce((sum, pages) => sum + pages, 0), known: pagesKnown };
    },
    begin: async (work) => {
      const arrival = await crew.begin(work);
      pagesKnown = arrival.known;
      return arrival;
    },
    settle: async (settlement) => {
      const settled = await crew.settle(settlement);
      for (const { id, standing } of settled.worked) fetchedBy.set(id, standing.fetched);
      return settled;
    },
    revive: async (resumedUs) => {
      const revived = await crew.revive(resumedUs);
      stand(revived.standings);
      return revived;
    },
  };
}

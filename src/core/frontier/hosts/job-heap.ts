import { grown, pageGrowth } from '../../../base/index.ts';
import { entryIndex } from '../../queue/index.ts';
import { RankedHeap } from './heap.ts';

/** Places of a processor's jobs in the heaps of their hosts, by local index: 4 bytes per page. */
export class JobPlaces {
  /** The cell of a page that is no job has no meaning. */
  at = new Uint32Array(0);

  has(local: number): void {
    if (local >= this.at.length) this.at = grown(this.at, local + 1, pageGrowth);
  }
}

/** The jobs of a host: local indices of pages by their entries, the best first. */
export class JobHeap extends RankedHeap<number> {
  readonly #places: JobPlaces;

  constructor(places: JobPlaces) {
    super();
    this.#places = places;
  }

  addEntry(entry: number): void {
    const local = entryIndex(entry);
    this.#places.has(local);
    this.add(local, entry);
  }

  /** The job of a page gets this entry. @returns whether the page has a job here. */
  changeEntry(entry: number): boolean {
    const local = entryIndex(entry);
    const place = this.#places.at[local];
    if (place >= this.size || this.items[place] !== local) return false;
    this.changeAt(place, entry);
    return true;
  }

  protected override moved(local: number, place: number): void {
    this.#places.at[local] = place;
  }
}

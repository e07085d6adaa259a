import type { RunSink, RunStarted } from '../../src/core/events/index.ts';
import type { Outcome } from '../../src/core/world/index.ts';

/**
 * A sink as a user would write it: pages fetched and links seen, by host name, at any moment of a run. It works on a
 * simulation and on a live crawl, and is right after crashes and resumptions.
 */
export class HostCounter implements RunSink {
  readonly readsLinks = true;
  /** Pages fetched by host name. */
  pages = new Map<string, number>();
  /** Links on those pages. */
  links = 0;
  /** Pages fetched at each barrier. */
  readonly atBarriers: number[] = [];
  end: string | undefined;
  #names: RunStarted['names'] | undefined;
  #saved = { pages: new Map<string, number>(), links: 0 };

  started({ names }: RunStarted): void {
    this.#names = names;
  }

  outcome(_processor: number, { kind, page, links }: Outcome): void {
    if (kind !== 'fetched' || this.#names === undefined) return;
    const host = this.#names.hostName(this.#names.hostOf(page));
    this.pages.set(host, (this.pages.get(host) ?? 0) + 1);
    this.links += links.length;
  }

  superstep(): void {
    this.atBarriers.push(this.total);
  }

  checkpoint(): void {
    this.#saved = { pages: new Map(this.pages), links: this.links };
  }

  rolledBack(): void {
    this.pages = new Map(this.#saved.pages);
    this.links = this.#saved.links;
  }

  ended(end: string): void {
    this.end = end;
  }

  get total(): number {
    return [...this.pages.values()].reduce((sum, count) => sum + count, 0);
  }
}

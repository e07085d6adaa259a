import type { NoReply, Site, SiteRequest } from '../../../src/service/index.ts';
import type { Reply } from '../../../src/service/web/site.ts';

/** A site that answers so many requests for pages, and holds the others until it may answer more. */
export class GatedSite implements Site {
  readonly name: string;
  readonly #site: Site;
  /** URLs of the pages that were answered, in order. */
  readonly answered: string[] = [];
  #maxAnswers = Infinity;
  readonly #held: (() => void)[] = [];
  #heard: (() => void)[] = [];

  constructor(site: Site) {
    this.name = site.name;
    this.#site = site;
  }

  /** Counts from now on. */
  restart(): void {
    this.answered.length = 0;
  }

  /** Lets pages be answered until so many have been, in all. */
  open(maxAnswers: number): void {
    this.#maxAnswers = maxAnswers;
    for (const go of this.#held.splice(0)) go();
  }

  /** Resolves when so many pages have been answered. */
  async reached(answers: number): Promise<void> {
    while (this.answered.length < answers) await new Promise<void>((resolve) => { this.#heard.push(resolve); });
  }

  hasHost(host: string): boolean {
    return this.#site.hasHost(host);
  }

  async reply(request: SiteRequest): Promise<Reply | NoReply> {
    if (request.path !== '/robots.txt') {
      while (this.answered.length >= this.#maxAnswers)
        await new Promise<void>((resolve) => { this.#held.push(resolve); });
      this.answered.push(`http://${request.host}${request.path}`);
      for (const hear of this.#heard.splice(0)) hear();
    }
    return this.#site.reply(request);
  }
}

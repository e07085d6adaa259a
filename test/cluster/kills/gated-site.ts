import type { NoReply, Site, SiteRequest } from '../../../src/views/service/index.ts';
import type { Reply } from '../../../src/views/service/web/site.ts';

/** A site that answers so many requests for pages, and holds the others until it may answer more. */
export class GatedSite implements Site {
  readonly name: string;
  readonly #site: Site;
  /** URLs of the pages that were answered, in order. */
  readonly answered: string[] = [];
  #maxAnswers = Infinity;
  #holds: (url: string) => boolean = () => true;
  readonly #held: { readonly url: string; readonly go: () => void }[] = [];
  #heard: (() => void)[] = [];

  constructor(site: Site) {
    this.name = site.name;
    this.#site = site;
  }

  /** Counts from now on. */
  restart(): void {
    this.answered.length = 0;
  }

  /** Lets pages be answered until so many have been, in all; then holds those of which `holds` is true. */
  open(maxAnswers: number, holds: (url: string) => boolean = () => true): void {
    this.#maxAnswers = maxAnswers;
    this.#holds = holds;
    for (const { go } of this.#held.splice(0)) go();
  }

  /** URLs of pages that are held, once there are any. */
  async held(): Promise<string[]> {
    while (this.#held.length === 0) await this.#change();
    return this.#held.map(({ url }) => url);
  }

  /** Resolves when so many pages have been answered. */
  async reached(answers: number): Promise<void> {
    while (this.answered.length < answers) await this.#change();
  }

  hasHost(host: string): boolean {
    return this.#site.hasHost(host);
  }

  async reply(request: SiteRequest): Promise<Reply | NoReply> {
    if (request.path !== '/robots.txt') {
      const url = `http://${request.host}${request.path}`;
      while (this.answered.length >= this.#maxAnswers && this.#holds(url)) {
        await new Promise<void>((go) => {
          this.#held.push({ url, go });
          this.#hear();
        });
      }
      this.answered.push(url);
      this.#hear();
    }
    return this.#site.reply(request);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => { this.#heard.push(resolve); });
  }

  #hear(): void {
    for (const hear of this.#heard.splice(0)) hear();
  }
}

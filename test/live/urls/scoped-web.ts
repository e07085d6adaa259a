import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLmdbStore } from '../../../src/core/live/index.ts';
import type { NoReply, Site, SiteRequest } from '../../../src/views/service/index.ts';
import type { Reply } from '../../../src/views/service/web/site.ts';

/** A site whose every link has parameters that tell no pages apart, other ones at each mention. */
export class TaggedSite implements Site {
  readonly name = 'tagged';
  readonly #site: Site;
  #mentions = 0;

  constructor(site: Site) {
    this.#site = site;
  }

  hasHost(host: string): boolean {
    return this.#site.hasHost(host);
  }

  async reply(request: SiteRequest): Promise<Reply | NoReply> {
    const reply = await this.#site.reply(request);
    if ('resetAfterUs' in reply || reply.status !== 200 || !(reply.body instanceof Array)) return reply;
    const text = Buffer.concat(reply.body).toString();
    const tagged = Buffer.from(text.replace(/<a href="([^"]+)">/g, (_, url: string) => (
      `<a href="${url}${url.includes('?') ? '&amp;' : '?'}utm_page=${this.#mentions++}&amp;sid=${this.#mentions % 7}">`
    )));
    return { ...reply, bytes: tagged.length, body: [tagged] };
  }
}

/**
 * The flags of a crawl that drops those parameters, within a scope with entries of all four kinds: the seed pages by
 * their prefixes, and parts of the other pages by host, domain and expression, with links beyond each.
 *
 * @param urls of the pages of the web.
 */
export function scopeFlags(seeds: readonly string[], urls: readonly string[], folder: string): string[] {
  const hosts = [...new Set(urls.map((url) => new URL(url).host))];
  const entries = [
    ...seeds.map((prefix) => ({ prefix, extraHops: 2 })),
    { host: hosts[Math.floor(hosts.length / 3)] }, { domain: hosts[Math.floor(hosts.length / 2)], extraHops: 1 },
    { regex: '^http://.*[47]$' },
  ];
  const path = join(folder, 'scope.yaml');
  writeFileSync(path, JSON.stringify({ scope: entries }));
  return ['--scope', path, '--drop-query', 'utm_*,sid'];
}

/** How near a crawl has each of its pages in the end: "URL depth hops", sorted. */
export async function reachOf(folder: string): Promise<string[]> {
  const store = await openLmdbStore(join(folder, 'store'));
  const reach = Array.from(store.pages(), ({ url, depth, hops = 0 }) => `${url} ${depth} ${hops}`);
  await store.close();
  return reach.sort();
}

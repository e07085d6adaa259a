import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { buildGraph, StringTable, type WebGraph } from '../../src/graphs/graph/index.ts';
import { GraphSite, type Reply } from '../../src/views/service/index.ts';
import { networkSchema } from '../../src/core/settings/index.ts';
import { htmlLinks } from '../../src/base/web/index.ts';
import { crawlLive } from '../../src/machines/crawl/index.ts';
import { orbweaver } from '../cli/command.ts';
import { loopback } from '../crawl/loopback.ts';
import { tries } from '../sweep.ts';

// Goal: a page of a served graph can be searched, by words of its own path and of those it leads to, and has the size
// and the links that it had without them. fast-check prints what repeats a failure; ORBWEAVER_SEED tries others.

const network = networkSchema.parse({ latencyMs: 0, latencySigma: 0, bandwidthBytesPerSecond: 0, bandwidthSigma: 0 });

function bodyOf(site: GraphSite, page: number): string {
  const { host, pathname, search } = new URL(site.urls.urlOf(page));
  const request = { host, authority: host, path: pathname + search, atUs: 0, opensConnection: false };
  const reply = site.reply(request) as Reply;
  const body = Buffer.concat(reply.body as Uint8Array[]);
  expect(body.length).toBe(reply.bytes);
  return body.toString();
}

const paths = fc.uniqueArray(
  fc.oneof(
    fc.stringMatching(/^\/[a-z]{1,8}(\/[a-z0-9_.-]{0,12}){0,3}(\?[a-z]=[0-9]{1,3})?$/),
    fc.constantFrom('/', '/%C3%A4rger/%E4%BD%A0', '/100%25', '/%FF', '/&lt;script&gt;', '/1/22/333'),
  ),
  { minLength: 1, maxLength: 8 },
);

function graphOf(own: readonly string[], sizes: readonly number[], targets: readonly number[]): WebGraph {
  const pages = own.length;
  return buildGraph({
    name: 'words', pages,
    sources: Uint32Array.from(targets, (_, i) => i % pages), targets: Uint32Array.from(targets, (to) => to % pages),
    hosts: { count: 1, ofPage: new Uint32Array(pages), names: StringTable.from(['docs.example']), synthetic: false },
    paths: StringTable.from(own), bytes: Uint32Array.from(own, (_, page) => sizes[page % sizes.length]),
  });
}

describe('the text of a served page', () => {
  test('changes neither its size nor its links, whatever its size and its path', () => {
    fc.assert(fc.property(
      paths, fc.array(fc.nat(3000), { minLength: 1, maxLength: 8 }), fc.array(fc.nat(), { maxLength: 30 }), fc.nat(),
      (own, sizes, targets, seed) => {
        const graph = graphOf(own, sizes, targets);
        const site = new GraphSite(graph, { network, seed });
        for (let page = 0; page < graph.pages; page++) {
          const body = bodyOf(site, page);
          const out = [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])];
          const hrefOf = (to: number): string => site.urls.urlOf(to).replaceAll('&', '&amp;');
          const bare = out.map((to) => `<a href="${hrefOf(to)}">${to}</a>\n`).join('');
          const { links, nofollow, base } = htmlLinks(body);
          expect(Buffer.byteLength(body)).toBe(Math.max(graph.bytes![page], bare.length));
          expect(links).toEqual(out.map((to) => site.urls.urlOf(to)));
          expect([nofollow, base]).toEqual([0, undefined]);
          expect(bodyOf(site, page)).toBe(body);
        }
      },
    ), { numRuns: tries(800) });
  });

  test('has a title and sentences of the words of its path, and of the pages it leads to', () => {
    const own = ['/library/asyncio-task.html', '/howto/logging_cookbook.html', '/'];
    const site = new GraphSite(graphOf(own, [4000], [1, 0, 0]), { network, seed: 7 });
    const body = bodyOf(site, 0);
    expect(/<title>(.*)<\/title>/.exec(body)?.[1]).toBe('Asyncio task - library - docs.example');
    expect(body).toContain('>logging cookbook</a>');
    const sentences = /<p>([^<]*)<\/p>/.exec(body)![1];
    for (const word of ['asyncio', 'library', 'logging']) expect(sentences.toLowerCase()).toContain(word);
    expect(sentences.match(/\.( |$)/g)!.length).toBeGreaterThan(5);
    expect(/<title>(.*)<\/title>/.exec(bodyOf(site, 2))?.[1]).toBe('docs.example');
  });

  test('is drawn from the seed', () => {
    const graph = graphOf(['/a/b', '/c/d'], [2000], [1, 0]);
    const bodies = [1, 1, 2].map((seed) => bodyOf(new GraphSite(graph, { network, seed }), 0));
    expect(bodies[1]).toBe(bodies[0]);
    expect(bodies[2]).not.toBe(bodies[0]);
  });

  test('is there on most pages of docs-web, each with the size it has there', async () => {
    const graph = await openGraph('docs-web');
    const site = new GraphSite(graph, { network, seed: 1 });
    let titles = 0;
    const pages = Array.from({ length: 200 }, (_, i) => (i * 101) % graph.pages);
    for (const page of pages) if (bodyOf(site, page).includes('<title>')) titles++;
    expect(titles).toBeGreaterThan(150);
  });
});

test('docs-web as served is crawled, indexed and searched: a page is found by the words of its path', async () => {
  const site = new GraphSite(await openGraph('docs-web'), { network, seed: 1 });
  const served = await loopback(site);
  try {
    const folder = served.folder();
    await crawlLive(folder, {
      experiment: { politenessMs: 0, robots: 8, superstepMs: 100, maxPages: 150 },
      live: { ...served.live, warc: false, text: true }, seeds: ['http://www.python.example/index.html'],
    });
    const index = `${folder}.index`;
    expect(await orbweaver(['index', folder, '--out', index], '.')).toMatchObject({ code: 0 });
    const asked = served.log.map(({ host, path }) => `http://${host}${path}`);
    // Pages whose path says what they are about in two words of their own.
    const named = asked.filter((url) => /\/[a-z]{4,}-[a-z]{4,}\.html$/.test(url)).slice(0, 3);
    expect(named.length).toBeGreaterThan(0);
    for (const url of named) {
      const words = /([a-z]+)-([a-z]+)\.html$/.exec(url)!.slice(1).join(' ');
      const { stdout } = await orbweaver(['search', index, words, '--json'], '.');
      const { hits } = JSON.parse(stdout) as { hits: { url: string }[] };
      expect(hits.slice(0, 3).map((hit) => hit.url), words).toContain(url);
    }
  } finally {
    await served.close();
  }
}, 120_000);

import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod';
import { InputError } from '../../../base/index.ts';
import { rankings, type IndexSearcher, type RankingName, type SearchRequest } from '../../../search/index.ts';
import { Access, type Listening } from '../access.ts';
import { escaped } from './markup.ts';
import {
  DEFAULT_RANKING, homePage, refusalPage, resultPage, type Asked, type PageFacts, type Searched,
} from './result-page.ts';

/** Style and script of the page, as bundled. */
const pageFile = (name: string): string => readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8');

/** Results per page. */
const PAGE_HITS = 10;
const MAX_API_HITS = 100;

export interface SearchServerOptions extends Listening {
  readonly searcher: IndexSearcher;
  /** Name of the index, for people. */
  readonly name: string;
}

/**
 * An index over HTTP: pages for people, which need no JavaScript, and JSON for programs.
 *
 *     GET /                     the search box; with ?q= results (ranking, after, explain=1)
 *     GET /api/search?q=        the same as JSON (ranking, after, explain=1, max=1..100)
 *     GET /opensearch.xml       what a browser reads to add a search engine
 *
 * Access is the dashboard's: a token in the opened URL, which becomes a cookie, or as `Authorization: Bearer`.
 */
export class SearchServer {
  /** To open: with the token. */
  readonly url: string;
  readonly #app: FastifyInstance;

  /** @throws InputError if the port is not free. */
  static async listen(options: SearchServerOptions): Promise<SearchServer> {
    const access = new Access({ what: 'the search', command: 'orbweaver serve search', formAction: "'self'" });
    const app = access.app({ routerOptions: { querystringParser: asParameters } });
    addPages(app, options);
    addApi(app, options);
    return new SearchServer(app, await access.open(app, options));
  }

  private constructor(app: FastifyInstance, url: string) {
    this.#app = app;
    this.url = url;
  }

  /** Open connections are cut. */
  close(): Promise<void> {
    return this.#app.close();
  }
}

/** The last of repeated parameters counts. */
function asParameters(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

const flag = z.enum(['0', '1']).optional().transform((value) => value === '1');

const rankingNames = Object.keys(rankings) as RankingName[];
const parameters = z.object({
  q: z.string().default(''), after: z.string().optional(), explain: flag,
  ranking: z.enum(rankingNames).default(DEFAULT_RANKING),
  max: z.coerce.number().int().min(1).max(MAX_API_HITS).default(PAGE_HITS),
});

/** What is asked for by the query alone, whatever the other parameters are. */
function plainly(query: unknown): Asked {
  return askedOf({ q: (query as { readonly q?: string }).q });
}

function askedOf(query: unknown): Asked & { readonly max: number } {
  const parsed = parameters.safeParse(query);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InputError(`${issue.path.join('.')}: ${issue.message}`);
  }
  const { q, after, explain, ranking, max } = parsed.data;
  return { query: q.trim(), after, explains: explain, ranking, max };
}

async function searched(searcher: IndexSearcher, request: SearchRequest): Promise<Searched> {
  const beganMs = performance.now();
  const result = await searcher.search(request);
  return { ...result, ms: performance.now() - beganMs };
}

function addPages(app: FastifyInstance, { searcher, name }: SearchServerOptions): void {
  const [style, script] = [pageFile('search.css'), pageFile('keys.js')];
  app.get('/search.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  app.get('/keys.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  app.get('/opensearch.xml', ({ headers }, reply) =>
    reply.type('application/opensearchdescription+xml').send(openSearch(name, headers.host ?? '')));
  app.get('/', async (request, reply) => {
    const facts: PageFacts = { name, rankings: rankingNames, ...(await searcher.facts()) };
    let query: Asked = plainly(request.query);
    if (query.query === '') return asPage(reply, homePage(facts));
    let page: string;
    try {
      query = askedOf(request.query);
      page = resultPage(facts, query, await searched(searcher, { ...query, maxHits: PAGE_HITS }));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      void reply.code(400);
      page = refusalPage(facts, query, error.message);
    }
    return asPage(reply, page);
  });
}

function asPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page);
}

function addApi(app: FastifyInstance, { searcher }: SearchServerOptions): void {
  app.get('/api/search', ({ query }) => {
    const { max, ...asked } = askedOf(query);
    return searched(searcher, { ...asked, maxHits: max });
  });
}

/** OpenSearch 1.1: how a browser asks. */
function openSearch(name: string, host: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escaped(name.slice(0, 16))}</ShortName>
<Description>${escaped(`Search ${name}`)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${escaped(`http://${host}/?q={searchTerms}`)}"/>
<Url type="application/json" template="${escaped(`http://${host}/api/search?q={searchTerms}`)}"/>
</OpenSearchDescription>
`;
}

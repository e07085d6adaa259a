import * as z from 'zod';

const int = (min: number, max: number) => z.int().min(min).max(max);
const ms = (standard: number) => int(1, 86_400_000).default(standard);
const list = () => z.array(z.string().min(1).max(1024)).max(10_000).default([]);

/** Limits `extraHops`: the store and the table of URLs have a byte for it. */
export const MAX_EXTRA_HOPS = 100;

/** A name that resolves to an address of the user's choice; `*` means all names. */
const resolveSchema = z.strictObject({
  host: z.string().min(1).max(255).describe('name of a host; * means all names'),
  address: z.string().min(1).max(64).describe('address that it resolves to'),
  port: int(1, 65_535).optional().describe('port to connect to; by default the one of the URL'),
});

/** What a crawl stays within: one of four kinds, and how many links beyond it are followed. */
const scopeSchema = z.strictObject({
  prefix: z.string().min(1).max(4096).optional().describe('URLs that begin so'),
  host: z.string().min(1).max(300).optional().describe('this host, with its port if it is not the default one'),
  domain: z.string().min(1).max(255).optional().describe('this domain and its subdomains, on any port'),
  regex: z.string().min(1).max(4096).optional().describe('URLs that contain a match of this expression (RE2)'),
  extraHops: int(0, MAX_EXTRA_HOPS).default(0).describe('how many links beyond it are followed'),
}, {
  error: ({ code }) => (
    code === 'invalid_type' ? 'must have one of prefix, host, domain and regex, like "domain: example.org"' : undefined
  ),
}).refine(({ prefix, host, domain, regex }) => (
  [prefix, host, domain, regex].filter((kind) => kind !== undefined).length === 1
), 'must have one of prefix, host, domain and regex');

/** Every setting of a live crawl besides those it shares with simulations (`core/settings/experiment.ts`). */
export const liveSchema = z.strictObject({
  contact: z.string().min(3).max(200).regex(/^[\x21-\x7e]+$/, 'must be a URL or a mail address without blanks')
    .describe('URL or mail address where the owners of hosts can reach you; sent in User-Agent'),
  agent: z.string().regex(/^[a-z][a-z_-]{0,63}$/i, 'must be letters, - and _ (RFC 9309)').default('orbweaver')
    .describe('product token for User-Agent and robots.txt'),
  robotsTxt: z.enum(['obey', 'ignore']).default('obey')
    .describe('whether to obey robots.txt; ignore it only on your own hosts'),

  connectTimeoutMs: ms(10_000).describe('maximum wait for a connection, TLS included, milliseconds'),
  headersTimeoutMs: ms(20_000).describe('maximum wait for the headers of a response, milliseconds'),
  bodyTimeoutMs: ms(20_000).describe('maximum pause within a body, milliseconds'),
  downloadTimeoutMs: ms(120_000).describe('maximum duration of a whole download, milliseconds'),
  headerLimitBytes: int(1024, 1 << 20).default(64 << 10).describe('maximum size of the headers of a response, bytes'),
  bodyLimitBytes: int(1, 2 ** 30).default(16 << 20)
    .describe('maximum size of a body as received, bytes; larger ones are rejected'),
  decodedLimitBytes: int(1, 2 ** 30).default(64 << 20).describe('maximum size of a decompressed body, bytes'),
  maxDecodedRatio: z.number().min(1).max(1e6).default(200)
    .describe('maximum compression ratio of a body, from 1 MiB on'),
  maxRedirects: int(0, 100).default(10).describe('maximum number of consecutive redirects'),
  maxLinks: int(0, 1e6).default(10_000).describe('maximum number of links taken per page'),
  maxUrlLength: int(16, 65_536).default(2048).describe('maximum length of a URL, characters'),
  maxOpenBodiesBytes: int(1 << 20, 2 ** 36).default(256 << 20)
    .describe('maximum size of all bodies in flight together, bytes; above it, downloads wait'),

  addressDelayMs: int(0, 86_400_000).default(0)
    .describe(
      'delay between downloads from the same address, on each node one at a time, milliseconds; nodes that meet at ' +
      'an address share it from their next superstep on; 0 = only hosts count',
    ),
  allowNetworks: list().describe('networks (CIDR) to which connections are allowed besides the public ones'),
  resolve: z.array(resolveSchema).max(10_000).default([]).describe('addresses of names, used before DNS'),

  scope: z.array(scopeSchema).max(10_000).default([])
    .describe('what to stay within: prefixes, hosts, domains and regular expressions, with links beyond; none = all'),
  dropQuery: list().describe('query parameters to drop from every URL, with * for any characters; all = every one'),
  allowDomains: list().describe('domains to stay within, subdomains included; none = all'),
  denyDomains: list().describe('domains to stay out of, subdomains included'),
  allowPatterns: list().describe('URLs to stay within, with * for any characters; none = all'),
  denyPatterns: list().describe('URLs to stay out of, with * for any characters'),
  countries: list().describe('country codes of top-level domains to stay within; none = all'),
  denyExtensions: z.array(z.string().regex(/^[a-z0-9]{1,10}$/i, 'must be letters and digits, without the dot'))
    .max(1000).optional()
    .describe('file extensions that are not fetched'),
  types: z.array(z.string().regex(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+*-]+$/i, 'must be a media type, like text/html'))
    .max(100).default(['text/html', 'application/xhtml+xml'])
    .describe('media types that are accepted'),
  maxHostPages: int(1, 2 ** 32 - 1).optional().describe('maximum number of known pages per host'),
  maxDepth: int(0, 1e6).optional()
    .describe('maximum number of links from a seed page to a page, on the shortest path'),
  maxSegmentRepeats: int(1, 100).default(4).describe('how often a path may contain the same segment'),
  contentSeen: z.boolean().default(false).describe('do not follow the links of a page whose body was seen before'),

  text: z.boolean().default(false).describe('store the text of pages, so that the crawl can be searched'),

  readerThreads: int(0, 256).default(1).describe('threads that parse pages; 0 = parse them on the scheduler thread'),
  warc: z.boolean().default(true).describe('archive requests and responses as WARC 1.1'),
  warcFileBytes: int(1 << 16, 2 ** 40).default(2 ** 30).describe('size at which a new WARC file is started, bytes'),
});

export type LiveSettings = z.output<typeof liveSchema>;
export type ScopeEntry = LiveSettings['scope'][number];
export type LiveInput = z.input<typeof liveSchema>;

/** The same for a settings file, whose flags may add the rest. */
export const partialLiveSchema = liveSchema.partial();
export type PartialLiveInput = z.input<typeof partialLiveSchema>;

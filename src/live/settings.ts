import { z } from 'zod';

const ms = (standard: number) => z.int().min(1).max(86_400_000).default(standard);
const list = () => z.array(z.string().min(1).max(1024)).max(10_000).default([]);

/** A name that is to be found at an address of the user's choice; `*` stands for all names. */
const resolveSchema = z.strictObject({
  host: z.string().min(1).max(255),
  address: z.string().min(1).max(64),
  port: z.int().min(1).max(65_535).optional(),
});

/** Every setting of a live crawl besides those that it shares with a simulation (`settings/experiment.ts`). */
export const liveSchema = z.strictObject({
  contact: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[\x21-\x7e]+$/, 'must be a URL or a mail address without blanks')
    .describe('URL or mail address at which hosts reach whoever runs the crawl; goes into User-Agent'),
  agent: z
    .string()
    .regex(/^[a-z][a-z_-]{0,63}$/i, 'must be letters, - and _ (RFC 9309)')
    .default('orbweaver')
    .describe('product token, in User-Agent and for robots.txt'),
  robotsTxt: z
    .enum(['obey', 'ignore'])
    .default('obey')
    .describe('what robots.txt says; to be ignored on hosts of your own only'),

  connectTimeoutMs: ms(10_000).describe('longest wait for a connection, TLS included, milliseconds'),
  headersTimeoutMs: ms(20_000).describe("longest wait for an answer's headers, milliseconds"),
  bodyTimeoutMs: ms(20_000).describe('longest pause within a body, milliseconds'),
  downloadTimeoutMs: ms(120_000).describe('longest time of a whole download, milliseconds'),
  headerLimitBytes: z
    .int()
    .min(1024)
    .max(1 << 20)
    .default(64 << 10)
    .describe("most bytes of an answer's headers"),
  bodyLimitBytes: z
    .int()
    .min(1)
    .max(2 ** 30)
    .default(16 << 20)
    .describe('most bytes of a body as received; longer ones are rejected'),
  decodedLimitBytes: z
    .int()
    .min(1)
    .max(2 ** 30)
    .default(64 << 20)
    .describe('most bytes of a body when its content codings are off'),
  decodedRatioMost: z
    .number()
    .min(1)
    .max(1e6)
    .default(200)
    .describe('most that content codings may shrink a body by, from 1 MiB on'),
  redirectsMost: z.int().min(0).max(100).default(10).describe('most redirects followed in a row'),
  linksMost: z.int().min(0).max(1e6).default(10_000).describe('most links taken from a page, the first ones'),
  urlLengthMost: z.int().min(16).max(65_536).default(2048).describe('most characters of a URL'),
  bodiesMostBytes: z
    .int()
    .min(1 << 20)
    .max(2 ** 36)
    .default(256 << 20)
    .describe('most bytes of all bodies under way; above, downloads wait'),

  addressDelayMs: z
    .int()
    .min(0)
    .max(86_400_000)
    .default(0)
    .describe('delay of an address too, and one download at a time there, milliseconds; 0: hosts alone count'),
  allowNetworks: list().describe('networks, as CIDR, to which connections are allowed besides the public ones'),
  resolve: z.array(resolveSchema).max(10_000).default([]).describe('addresses of names, before DNS is asked'),

  allowDomains: list().describe('domains to stay within, subdomains included; none: all'),
  denyDomains: list().describe('domains to stay out of, subdomains included'),
  allowPatterns: list().describe('URLs to stay within, with * for any characters; none: all'),
  denyPatterns: list().describe('URLs to stay out of, with * for any characters'),
  countries: list().describe('country codes of top-level domains to stay within; none: all'),
  denyExtensions: z
    .array(z.string().regex(/^[a-z0-9]{1,10}$/i, 'must be letters and digits, without the dot'))
    .max(1000)
    .optional()
    .describe('file extensions that are not fetched'),
  types: z
    .array(z.string().regex(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+*-]+$/i, 'must be a media type, like text/html'))
    .max(100)
    .default(['text/html', 'application/xhtml+xml'])
    .describe('media types that are taken'),
  hostPagesMost: z
    .int()
    .min(1)
    .max(2 ** 32 - 1)
    .optional()
    .describe('most pages known of a host'),
  depthMost: z.int().min(0).max(1e6).optional().describe('most links from a seed page to a page'),
  segmentRepeatsMost: z.int().min(1).max(100).default(4).describe('most times that a path may hold the same segment'),
  contentSeen: z.boolean().default(false).describe('links of a page whose body was seen before are not followed'),

  readerThreads: z
    .int()
    .min(0)
    .max(256)
    .default(1)
    .describe('threads that read pages; 0: in the thread of the scheduler'),
  warc: z.boolean().default(true).describe('keep requests and responses as WARC 1.1'),
  warcFileBytes: z
    .int()
    .min(1 << 16)
    .max(2 ** 40)
    .default(2 ** 30)
    .describe('bytes of a WARC file from which on the next is begun'),
});

export type LiveSettings = z.output<typeof liveSchema>;
export type LiveInput = z.input<typeof liveSchema>;

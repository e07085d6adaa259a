import * as z from 'zod';
import type { PageLinks } from '../html-links.ts';
import { isHtmlType, statedType } from '../http/media-type.ts';
import { refreshTarget } from '../http/refresh.ts';
import { statedEncoding } from '../html-text.ts';
import { withEncodedQuery } from '../query-encoding.ts';
import { decodeHTMLAttribute } from 'entities';
import { AGENT, robotsTag, saysNofollow } from '../robots-words.ts';

/** A response as a WAT record describes it. */
export interface WatResponse extends PageLinks {
  readonly status: number;
  readonly url: string;
  readonly location: string | undefined;
  /** The target of its Refresh. */
  readonly refresh: string | undefined;
  readonly bytes: number;
}

const number = z.coerce.number().catch(0);
const text = z.string().optional().catch(undefined);
/** Only the fields that are read; in real files any of them may be missing or of another type. */
const envelope = z.object({
  Envelope: z.object({
    'WARC-Header-Metadata': z.object({ 'WARC-Type': z.string(), 'WARC-Target-URI': z.string() }),
    'Payload-Metadata': z.object({
      'HTTP-Response-Metadata': z.object({
        'Response-Message': z.object({ Status: number }).optional().catch(undefined),
        Headers: z.record(z.string(), z.unknown()).catch({}),
        'Entity-Length': number.optional(),
        'HTML-Metadata': z.object({
          Head: z.object({ Base: text, Metas: z.array(z.unknown()).catch([]) }).optional().catch(undefined),
          Links: z.array(z.unknown()).catch([]),
        }).optional().catch(undefined),
      }),
    }),
  }),
});
const link = z.object({ path: z.string(), url: z.string(), rel: text });
const meta = z.object({ name: text, content: text, 'http-equiv': text, charset: text });

/** Elements whose links count, as WAT writes them: the same as htmlLinks. */
const linkPaths = new Set(['A@/href', 'AREA@/href', 'FRAME@/src', 'IFRAME@/src']);

/**
 * Whether character references in attributes are resolved by the software that a WAT's warcinfo names. The
 * webarchive-commons of IIPC and the Internet Archive leave them as written in the page. Common Crawl's fork resolves
 * them in builds since 8 July 2019; it names itself as the others did up to 2015, so the build time after its version
 * decides.
 */
export function resolvesReferences(warcinfo: string): boolean {
  const built = /^software-info:[ \t]*ia-web-commons\S*-([0-9]{8})[0-9]{6}[ \t]*\r?$/im.exec(warcinfo)?.[1];
  return built !== undefined && built >= '20190708';
}

/**
 * The response that a WAT record's JSON describes; undefined if it describes something else, such as a request.
 * @param isResolved whether character references are resolved in it; otherwise they are resolved here, once.
 * Errors   SyntaxError if it is not JSON.
 */
export function watResponse(json: string, isResolved: boolean): WatResponse | undefined {
  const parsed = envelope.safeParse(JSON.parse(json));
  if (!parsed.success || parsed.data.Envelope['WARC-Header-Metadata']['WARC-Type'] !== 'response') return undefined;
  const attribute = (value: string): string => (isResolved ? value : decodeHTMLAttribute(value));
  const http = parsed.data.Envelope['Payload-Metadata']['HTTP-Response-Metadata'];
  const html = http['HTML-Metadata'];
  const headers = new Map(Object.entries(http.Headers).map(([name, value]) => [name.toLowerCase(), headerText(value)]));
  const metas = (html?.Head?.Metas ?? []).flatMap((entry) => meta.safeParse(entry).data ?? []);
  const refreshes = metas.filter((entry) => entry['http-equiv']?.toLowerCase() === 'refresh')
    .map(({ content }) => ({ url: refreshTarget(attribute(content ?? '')), rel: '' })).filter(({ url }) => url !== '');
  const elements = (html?.Links ?? [])
    .flatMap((entry) => link.safeParse(entry).data ?? [])
    .filter(({ path }) => linkPaths.has(path))
    .map(({ url, rel }) => ({ url: attribute(url), rel: attribute(rel ?? '') }));
  const all = [...refreshes, ...elements].filter(({ url }) => !/^[\0- ]*#/.test(url));
  const followed = all.filter(({ rel }) => !saysNofollow(rel));
  const pageNofollow =
    saysNofollow(robotsTag([headers.get('x-robots-tag') ?? ''], AGENT)) ||
    metas.some(
      ({ name, content }) =>
        ['robots', AGENT].includes(
          attribute(name ?? '')
            .trim()
            .toLowerCase(),
        ) && saysNofollow(attribute(content ?? '')),
    );
  const base = html?.Head?.Base;
  const encoding = statedEncoding(headers.get('content-type'), metas.map((entry) => new Map(Object.entries(entry))));
  const type = statedType(headers.get('content-type')) ?? 'text/html';
  const refreshed = refreshTarget(headers.get('refresh') ?? '');
  return {
    status: http['Response-Message']?.Status ?? 0,
    url: parsed.data.Envelope['WARC-Header-Metadata']['WARC-Target-URI'],
    location: headers.get('location'),
    refresh: isHtmlType(type) && refreshed !== '' ? refreshed : undefined,
    bytes: http['Entity-Length'] ?? 0,
    base: base && withEncodedQuery(attribute(base), encoding),
    links: pageNofollow ? [] : followed.map(({ url }) => withEncodedQuery(url, encoding)),
    nofollow: all.length - (pageNofollow ? 0 : followed.length),
    isNofollow: pageNofollow,
  };
}

/** A header that was sent several times is a list. */
function headerText(value: unknown): string {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((item) => typeof item === 'string').join(', ');
}

export { canonicalUrl, spelled } from './canonical-url.ts';
export { queryDropper } from './dropped-query.ts';
export { htmlLinks, type HtmlLinks, type PageLinks } from './html-links.ts';
export { htmlText, type HtmlText } from './html-text.ts';
export { withoutCodings, type CodingFault, type DecodedBody } from './http/content-coding.ts';
export { beginsAsHtml, isHtmlType, statedType, unstatedType } from './http/media-type.ts';
export { header, headers, urlInHeader, type RawHeaders } from './http/raw-headers.ts';
export { refreshIn } from './http/refresh.ts';
export {
  MAX_ANCHOR_CHARS, MAX_TEXT_CHARS, textFields, type Anchor, type LinedText, type PageText, type TextField,
  type TextRun,
} from './page-text.ts';
export { pageUrl } from './page-url.ts';
export { AGENT, robotsTag, saysNofollow, saysNoindex } from './robots-words.ts';
export { allowAll, disallowAll, MAX_ROBOTS_BYTES, robotsTxt, type RobotsRules } from './robots/robots-txt.ts';
export { matchesWildcards } from './robots/wildcards.ts';
export { compressed, decompressed } from './text/compressed.ts';
export { packText, resolvedText, unpackRuns, unpackText, type UnpackedText } from './text/packed-text.ts';
export { plainText, type CollectedText } from './text/text-collector.ts';
export { anchorLines, anchorsOf, runLines, runsOf } from './text/text-lines.ts';
export { archiveBytes, gzipHeaderBytes } from './warc/archive-bytes.ts';
export { decodedEntity, httpResponse, isHtml, type HttpResponse } from './warc/http-response.ts';
export { beginsRecord, RecordParser, type WarcRecord } from './warc/record-parser.ts';
export { resolvesReferences, watResponse } from './warc/wat.ts';

import { onHost, type Hit, type IndexFacts, type RankingName, type SearchResult } from '../../../search/index.ts';
import { html, safeHref, type Markup } from './markup.ts';

export const DEFAULT_RANKING: RankingName = 'bm25f';

export interface Searched extends SearchResult {
  /** What the search took. */
  readonly ms: number;
}

/** What a page of results was asked for. */
export interface Asked {
  readonly query: string;
  readonly ranking: RankingName;
  readonly after: string | undefined;
  readonly explains: boolean;
}

export interface PageFacts extends IndexFacts {
  /** Name of the index, for people. */
  readonly name: string;
  readonly rankings: readonly RankingName[];
}

const number = new Intl.NumberFormat('en');

/** A count with its noun: `1 page`, `2,000 pages`. */
function counted(count: number, noun: string): string {
  return `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The address of a page of results; the values of `asked` unless changed. */
function address(current: Asked, changed: Partial<Asked> = {}, path = '/'): string {
  const { query, ranking, after, explains } = { ...current, ...changed };
  const words = new URLSearchParams({ q: query });
  if (ranking !== DEFAULT_RANKING) words.set('ranking', ranking);
  if (after !== undefined) words.set('after', after);
  if (explains) words.set('explain', '1');
  return `${path}?${words.toString()}`;
}

/** @param name - of the index. */
function document(name: string, title: string, body: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/search.css">
<link rel="icon" href="data:,">
<link rel="search" type="application/opensearchdescription+xml" title="${name}" href="/opensearch.xml">
<script src="/keys.js" defer></script>
</head>
<body>
${body}
</body>
</html>
`.text;
}

function box(query: string, isFirst: boolean): Markup {
  const focus = isFirst ? html` autofocus` : undefined;
  return html`<div class="box"><input type="search" name="q" value="${query}" aria-label="Search" maxlength="2000"
 autocomplete="off" autocapitalize="none" spellcheck="false"${focus}><button>Search</button></div>`;
}

/** The page before a query. */
export function homePage(facts: PageFacts): string {
  return document(facts.name, facts.name, html`<main class="home">
<h1>${facts.name}</h1>
<p>${counted(facts.documents, 'document')} at ${counted(facts.pages, 'URL')}</p>
<form action="/" role="search">${box('', true)}</form>
<p class="syntax"><code>"words in sequence"</code> <code>site:example.org</code> <code>title:word</code>
 <code>-word</code></p>
</main>`);
}

/** The page of a query's results, the first or a later one. */
export function resultPage(facts: PageFacts, query: Asked, answer: Searched): string {
  return document(facts.name, `${query.query} - ${facts.name}`, html`${head(facts, query)}
<main>
<h1 class="unseen">Results</h1>
${notes(query, answer)}
${hosts(query, answer)}
<ol>${answer.hits.map((hit) => result(hit))}</ol>
${pages(query, answer)}
</main>
<footer><kbd>/</kbd> search box &nbsp; <kbd>j</kbd> <kbd>k</kbd> next and previous result &nbsp;
<a href="${address(query, {}, '/api/search')}">these results as JSON</a></footer>`);
}

/** The page of a query that cannot be answered, with the reason. */
export function refusalPage(facts: PageFacts, query: Asked, reason: string): string {
  return document(facts.name, `${query.query} - ${facts.name}`, html`${head(facts, query)}
<main><h1 class="unseen">Results</h1><p class="note" role="alert">${reason}</p></main>`);
}

function head(facts: PageFacts, query: Asked): Markup {
  const options = facts.rankings.map((name) =>
    html`<option${name === query.ranking ? html` selected` : undefined}>${name}</option>`);
  return html`<header><form action="/" role="search"><a class="brand" href="/">${facts.name}</a>
${box(query.query, false)}
<label class="ranking">ranking <select name="ranking">${options}</select></label>
${query.explains ? html`<input type="hidden" name="explain" value="1">` : undefined}</form></header>`;
}

function notes(query: Asked, answer: Searched): Markup {
  const { total, ms, hits, isAnyWord, ignored, suggestion } = answer;
  const count = total === 0 ? 'Nothing found' : counted(total, 'document');
  const later = query.after === undefined || total === 0 ? ''
    : hits.length === 0 ? ', no more results' : ', further results';
  return html`<p class="count">${count}${later} in ${ms < 1 ? 'less than 1' : Math.round(ms)} ms</p>
${suggestion === undefined ? undefined : html`<p class="note">Did you mean
 <a href="${address(query, { query: suggestion, after: undefined })}">${suggestion}</a>?</p>`}
${isAnyWord && hits.length > 0
  ? html`<p class="note">Few or no documents have all of these words. The others have some of them.</p>` : undefined}
${ignored.length === 0 ? undefined : html`<p class="note">Ignored: ${ignored.join(', ')}</p>`}
${total > 0 ? undefined
  : html`<p>Try fewer or other words, or search without <code>site:</code> and quotation marks.</p>`}`;
}

function hosts(query: Asked, { hosts: all }: Searched): Markup | undefined {
  if (all.length < 2) return undefined;
  return html`<aside class="hosts" aria-label="Hosts"><h2>Only from</h2>
<ul role="list">${all.map(({ host, count }) => html`
<li><a href="${address(query, { query: onHost(query.query, host), after: undefined })}">${host}</a>
<span class="figure">${number.format(count)}</span></li>`)}</ul></aside>`;
}

function result({ url, title, others, snippet, why }: Hit): Markup {
  const name = title.trim() === '' ? lastName(url) : title;
  const href = safeHref(url);
  return html`
<li class="result"><h2>${href === undefined ? name : html`<a href="${href}" rel="noreferrer">${name}</a>`}</h2>
<p class="place">${url}</p>
<p class="snippet">${snippet.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text))}</p>
${others.length === 0 ? undefined : html`<p class="others">the same text at ${others.slice(0, 3).join(', ')}${
  others.length > 3 ? ` and ${others.length - 3} more` : ''}</p>`}
${why === undefined ? undefined : html`<details class="why" open><summary>Score ${figure(why.score)}</summary>
<table>${why.parts.map(({ name, value }) => html`
<tr><th scope="row">${name}</th><td>${figure(value)}</td></tr>`)}</table>
<code>${why.formula}</code></details>`}</li>`;
}

/** What a page without a title is called: the last name in its path. */
function lastName(url: string): string {
  return url.split(/[?#]/)[0].split('/').findLast((name) => name !== '') ?? url;
}

function figure(value: number): string {
  return Number.isFinite(value) ? Number(value.toPrecision(4)).toString() : String(value);
}

function pages(query: Asked, { next, hits }: Searched): Markup {
  const link = (changed: Partial<Asked>, text: string): Markup =>
    html`<a href="${address(query, changed)}">${text}</a>`;
  return html`<nav aria-label="Pages of results">
${query.after === undefined ? undefined : link({ after: undefined }, 'First results')}
${next === undefined ? undefined : link({ after: next }, 'Next results')}
${hits.length === 0 ? undefined : query.explains ? link({ explains: false }, 'Hide scores')
  : link({ explains: true }, 'Why this order?')}
</nav>`;
}

import * as z from 'zod';
import { openIndex, rankings, searchIndex, type Hit, type SearchResult } from '../../search/index.ts';
import { ownFlags, type RawFlags } from '../flags/flags.ts';
import { rankingNames } from '../help/lists.ts';
import { invocation } from '../invocation.ts';
import { counted, decimal } from '../text/figures.ts';
import { print } from '../text/output.ts';
import { printable } from '../text/printable.ts';

const own = z.object({
  ranking: z.enum(rankingNames).default('bm25f'),
  maxHits: z.int().min(1).max(1000).default(10),
  page: z.int().min(1).max(1_000_000).default(1),
});

interface Flags extends RawFlags {
  readonly explain?: true;
  readonly json?: true;
}

export async function runSearch(path: string, query: string, flags: Flags): Promise<void> {
  const { ranking, maxHits, page } = ownFlags(own, flags);
  const index = await openIndex(path);
  try {
    const beganMs = performance.now();
    const result = searchIndex(index, query, {
      ranking: rankings[ranking], maxHits, after: String((page - 1) * maxHits), explain: flags.explain,
    });
    const ms = performance.now() - beganMs;
    print(flags.json, () => resultDocument(query, ranking, ms, result), () => {
      const circumstances = `in ${counted(index.documents, 'document')}, ${decimal(ms, 1)} ms`;
      return resultText(circumstances, { page, maxHits }, result);
    });
  } finally {
    index.close();
  }
}

function resultDocument(query: string, ranking: string, ms: number, result: SearchResult): unknown {
  const { total, isAnyWord, suggestion, ignored, next, hits } = result;
  return {
    query, ranking, total, ms, isAnyWord, suggestion, ignored, hasMore: next !== undefined,
    hits: hits.map(({ url, others, title, host, language, score, hasAllWords, snippet, why }) => ({
      url, others, title, host, language, score, hasAllWords, snippet: snippet.map(({ text }) => text).join(''),
      snippetParts: snippet, why,
    })),
  };
}

function resultText(
  circumstances: string, { page, maxHits }: { page: number; maxHits: number }, result: SearchResult,
): string {
  const { total, hits, isAnyWord, ignored, suggestion, next } = result;
  const heading = total === 0 ? 'Nothing' : counted(total, 'document');
  const lines = [`${heading} found ${circumstances}.`];
  if (isAnyWord) lines.push('Few or no documents have all words; the others have some of them.');
  if (ignored.length > 0) lines.push(`Words beyond the limit were ignored: ${printable(ignored.join(' '))}`);
  if (suggestion !== undefined) lines.push(`Did you mean: ${printable(suggestion)}`);
  for (const [i, hit] of hits.entries()) lines.push('', ...hitLines((page - 1) * maxHits + i + 1, hit));
  if (total > 0 && hits.length === 0) lines.push(`There are no more results on page ${page}.`);
  if (next !== undefined) lines.push('', `More results: --page ${page + 1}`);
  return lines.join('\n');
}

function hitLines(number: number, { title, url, others, snippet, why }: Hit): string[] {
  const mark = `${number}. `;
  const indent = ' '.repeat(mark.length);
  const lines = [`${mark}${bold(printable(title === '' ? url : title))}`, `${indent}${printable(url)}`];
  if (others.length > 0) lines.push(`${indent}also ${others.map(printable).join(' ')}`);
  const text = snippet.map((part) => part.isMatch ? bold(printable(part.text)) : printable(part.text)).join('');
  if (text !== '') lines.push(indent + text);
  if (why !== undefined) {
    lines.push(`${indent}${why.score.toPrecision(6)} = ${why.formula}`);
    for (const { name, value } of why.parts) lines.push(`${indent}  ${printable(name)}: ${value.toPrecision(6)}`);
  }
  return lines;
}

/** Plain where the output is no terminal, or the user wants no colours. */
function bold(text: string): string {
  const isStyled = invocation().stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '';
  return isStyled ? `\u001b[1m${text}\u001b[22m` : text;
}

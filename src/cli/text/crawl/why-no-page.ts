import { failuresInWords, type RunSummary } from '../../../core/measure/index.ts';
import { counted } from '../figures.ts';
import { printableShort } from '../printable.ts';

const MAX_REASONS = 3;

/**
 * Why a live crawl stored no page: the most common reasons in its log, or that it ended before any request did, or
 * before redirects led to a page. Undefined if it stored one.
 * @param isNode whether the log is of one node of several, which may have had nothing to request.
 */
export async function whyNoPage(
  log: string, { ended, pagesFetched, pagesInFlight }: Pick<RunSummary, 'ended' | 'pagesFetched' | 'pagesInFlight'>,
  isNode: boolean,
): Promise<string | undefined> {
  const { areAllRedirects, loggedReasons } = await import('../../../core/live/index.ts');
  if (pagesFetched > 0 && !(await areAllRedirects(log, pagesFetched))) return undefined;
  const reasons = await loggedReasons(log);
  const more = reasons.length - MAX_REASONS;
  const named = reasons.slice(0, MAX_REASONS).map(({ kind, reason, count }) => {
    const [{ words }] = failuresInWords({ failuresByKind: { [kind]: count } });
    const text = reason === '' ? words : printableShort(reason, 160);
    return count === 1 ? text : `${text} (${counted(count, 'time')})`;
  });
  const open = pagesInFlight === 0 ? '' : `, with ${counted(pagesInFlight, 'download')} open`;
  if (reasons.length === 0 && isNode && pagesFetched === 0 && open === '')
    return `no page was stored: this node requested nothing (${ended}), and no other node has a page either`;
  const before = pagesFetched === 0 ? 'any request did' : 'its redirects led to a page';
  const why = reasons.length === 0 ? `it ended (${ended}) before ${before}${open}`
    : `${named.join('; ')}${more > 0 ? `; and ${counted(more, 'other reason')}` : ''}`;
  return `no page was stored: ${why}. All attempts are in ${printableShort(log, 200)}`;
}

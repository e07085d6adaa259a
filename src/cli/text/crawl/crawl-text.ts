import type { LiveExperiment } from '../../../machines/crawl/index.ts';
import {
  failuresInWords, findingsInWords, type HostGivenUpRow, type RunResult, type RunSummary,
} from '../../../core/measure/index.ts';
import { counted, paragraph } from '../figures.ts';
import { printable, printableShort } from '../printable.ts';
import { figures } from '../run/run-figures.ts';
import { settingsSentence } from '../run/simulate-text.ts';

/** A live crawl, or the part of it that is one node's, as text for people. */
export function crawlText(
  folder: string, { run }: RunResult<LiveExperiment>, { node }: { readonly node?: number | undefined } = {},
): string {
  const ofPart = node === undefined
    ? [] : ['', paragraph(`Figures of the pages of node ${node} alone. "orbweaver cluster merge" makes those of the whole crawl.`)];
  return [
    paragraph(`${settingsSentence(run.experiment)}.`),
    ...ofPart,
    '',
    paragraph(printable(findingsInWords(run.summary, run.experiment))),
    '',
    figures(run, 'time'),
    '',
    `Record, report, graph and archives: ${printable(folder)}`,
  ].join('\n');
}

const maxNamed = 3;

export function givenUpInWords(hosts: readonly HostGivenUpRow[]): string {
  const examples = hosts.slice(0, maxNamed).map(({ name, reason }) => `${printableShort(name, 100)} (${reason})`);
  const more = hosts.length - examples.length;
  const list = [...examples, ...(more > 0 ? [counted(more, 'other')] : [])].join(', ');
  return `${counted(hosts.length, 'host')} could not be reached and ${hosts.length === 1 ? 'was' : 'were'} given up: ${list}`;
}

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
  const examples = reasons.slice(0, MAX_REASONS).map(({ kind, reason, count }) => {
    const [{ words }] = failuresInWords({ failuresByKind: { [kind]: count } });
    const text = reason === '' ? words : printableShort(reason, 160);
    return count === 1 ? text : `${text} (${counted(count, 'time')})`;
  });
  const open = pagesInFlight === 0 ? '' : `, with ${counted(pagesInFlight, 'download')} open`;
  if (reasons.length === 0 && isNode && pagesFetched === 0 && open === '')
    return `no page was stored: this node requested nothing (${ended}), and no other node has a page either`;
  const milestone = pagesFetched === 0 ? 'any request did' : 'its redirects led to a page';
  const why = reasons.length === 0 ? `it ended (${ended}) before ${milestone}${open}`
    : `${examples.join('; ')}${more > 0 ? `; and ${counted(more, 'other reason')}` : ''}`;
  return `no page was stored: ${why}. All attempts are in ${printableShort(log, 200)}`;
}

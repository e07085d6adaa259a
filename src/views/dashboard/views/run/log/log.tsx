import { useCallback, useState } from 'preact/hooks';
import { duration, number } from '../../../../report/page/format.ts';
import type { LogQuery, LogRow, RunLog } from '../../../../service/dashboard/logs/api.ts';
import * as client from '../../../client.ts';
import { Problem, Scroll } from '../../../parts/words.tsx';
import { bytesText, failureKinds, outcomeWords } from '../../../run/words.ts';
import { Paging } from './paging.tsx';
import { usePages, useSettled, type Ask } from './use-pages.ts';

interface Given {
  readonly id: string;
  /** Whose log it is; null: that of all. */
  readonly processor: number | null;
  readonly isOver: boolean;
  /** Rows of a page. */
  readonly limit: number;
}

/** A search that finds little goes back so many requests at a time; a button goes on. */
const MAX_REQUESTS = 20;
const REFRESH_MS = 2000;

/** How downloads ended, the last one first: with a search, by kind, page by page. */
export function Log({ id, processor, isOver, limit }: Given) {
  const [sought, setSought] = useState('');
  const [kind, setKind] = useState<LogQuery['kind']>();
  const find = useSettled(sought.trim());
  const ask: Ask<RunLog> = useCallback(
    (place, signal) => searched(id, { processor: processor ?? undefined, kind, find, limit, before: place }, signal),
    [id, processor, kind, find, limit],
  );
  const { page, problem, isAsking, goOlder, goNewer } = usePages(ask, isOver, isOver ? null : REFRESH_MS);
  const what = processor === null ? 'log' : `log of processor ${number(processor)}`;
  const isFiltered = find !== '' || kind !== undefined;
  return (
    <div class="log">
      <div class="log-tools">
        <label class="search">
          <span>Search</span>
          <input
            type="search" value={sought} maxLength={200} placeholder="part of a page's name"
            aria-label={`Search the ${what}`} onInput={(event) => setSought(event.currentTarget.value)}
          />
        </label>
        <label class="search">
          <span>Outcomes</span>
          <select
            aria-label={`Outcomes in the ${what}`} value={kind ?? ''}
            onChange={(event) => setKind((event.currentTarget.value || undefined) as LogQuery['kind'])}
          >
            <option value="">all</option>
            <option value="fetched">fetched</option>
            <option value="failed">all but fetched</option>
            {failureKinds.map((kind) => <option key={kind} value={kind}>{outcomeWords(kind)}</option>)}
          </select>
        </label>
        <Paging goOlder={goOlder} goNewer={goNewer} what={what} />
      </div>
      {problem !== '' && <Problem text={problem} />}
      {page?.hasProcessors === false && (
        <p class="note">
          Which processor fetched a page is not known: the graph of the run is not here, or the crawl has not ended.
          It is known for failures.
        </p>
      )}
      {page !== null && page.rows.length > 0 && <Rows rows={page.rows} what={what} hasProcessor={processor === null} />}
      {page === null ? problem === '' && <p class="nothing">Loading …</p> : (
        <p class="note" role="status">
          {remark(page, limit, { isFiltered, isSearching: isAsking && isFiltered, isOver })}
        </p>
      )}
    </div>
  );
}

/** What the rows themselves do not say. */
function remark(
  { rows, older, backToUs }: RunLog, limit: number,
  { isFiltered, isSearching, isOver }: Readonly<Record<'isFiltered' | 'isSearching' | 'isOver', boolean>>,
): string {
  if (isSearching) return 'Searching …';
  if (!isFiltered) return rows.length > 0 ? '' : isOver ? 'Nothing is recorded.' : 'Nothing is recorded yet.';
  if (older === null) return rows.length === 0 ? 'No download matches.' : 'No older download matches.';
  if (backToUs === null || rows.length >= limit) return '';
  return `Searched back to ${duration(backToUs / 1e6)}. Press Older to search further back.`;
}

/** One page of a log: as many requests as it takes, as each looks at a part of the record only. */
async function searched(id: string, query: Partial<LogQuery>, signal: AbortSignal): Promise<RunLog> {
  const { limit = 0 } = query;
  let page = await client.log(id, query, signal);
  for (let request = 1; page.rows.length < limit && page.older !== null && request < MAX_REQUESTS; request++) {
    const more = await client.log(
      id, { ...query, before: page.older, limit: limit - page.rows.length }, signal,
    );
    page = { ...more, rows: [...page.rows, ...more.rows] };
  }
  return page;
}

function Rows({ rows, what, hasProcessor }: RowsGiven) {
  const hasBytes = rows.some(({ bytes }) => bytes !== null);
  return (
    <Scroll label={`Table: ${what}`} isTall={hasProcessor}>
      <table class="outcomes">
        <thead>
          <tr>
            <th scope="col" class="figure">Ended at</th><th scope="col" class="figure">Took</th>
            {hasProcessor && <th scope="col" class="figure">Processor</th>}
            <th scope="col">Outcome</th><th scope="col">Page</th>
            {hasBytes && <th scope="col" class="figure">Downloaded</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ number: key, processor, name, kind, startedUs, finishedUs, bytes }) => (
            <tr key={key}>
              <td class="figure">{duration(finishedUs / 1e6)}</td>
              <td class="figure">{duration((finishedUs - startedUs) / 1e6)}</td>
              {hasProcessor && <td class="figure">{processor === null ? '' : number(processor)}</td>}
              <td class={kind === 'fetched' ? '' : 'bad'}>{outcomeWords(kind)}</td>
              <td class="page"><bdi>{name}</bdi></td>
              {hasBytes && <td class="figure">{bytes === null ? '' : bytesText(bytes)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface RowsGiven {
  readonly rows: readonly LogRow[];
  readonly what: string;
  readonly hasProcessor: boolean;
}

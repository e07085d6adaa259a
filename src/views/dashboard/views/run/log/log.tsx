import { useCallback, useState } from 'preact/hooks';
import { duration, number } from '../../../../report/page/format.ts';
import type { LogQuery, LogRow, RunLog } from '../../../../service/dashboard/logs/api.ts';
import * as client from '../../../client.ts';
import { Table, type TableColumn } from '../../../parts/table.tsx';
import { Problem } from '../../../parts/words.tsx';
import { bytesText, failureKinds, outcomeWords } from '../../../run/words.ts';
import { Paging } from './paging.tsx';
import { usePages, useSettled, type Ask } from './use-pages.ts';

interface Given {
  readonly id: string;
  /** The processor of the log; null: all of them. */
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

const processorColumn: TableColumn<LogRow> =
  ['Processor', ({ processor }) => (processor === null ? '' : number(processor))];
const bytesColumn: TableColumn<LogRow> = ['Downloaded', ({ bytes }) => (bytes === null ? '' : bytesText(bytes))];

function Rows({ rows, what, hasProcessor }: RowsGiven) {
  const columns: TableColumn<LogRow>[] = [
    ['Ended at', ({ finishedUs }) => duration(finishedUs / 1e6)],
    ['Took', ({ startedUs, finishedUs }) => duration((finishedUs - startedUs) / 1e6)],
    ...(hasProcessor ? [processorColumn] : []),
    ['Outcome', ({ kind }) => outcomeWords(kind), ({ kind }) => (kind === 'fetched' ? '' : 'bad')],
    ['Page', ({ name }) => <bdi>{name}</bdi>, 'page'],
    ...(rows.some(({ bytes }) => bytes !== null) ? [bytesColumn] : []),
  ];
  return (
    <Table
      label={`Table: ${what}`} isTall={hasProcessor} isHeaded={false} look="outcomes" columns={columns} rows={rows}
      keyOf={({ number: key }) => key}
    />
  );
}

interface RowsGiven {
  readonly rows: readonly LogRow[];
  readonly what: string;
  readonly hasProcessor: boolean;
}

import { useCallback, useMemo, useState } from 'preact/hooks';
import { duration, number } from '../../../../report/page/format.ts';
import type { RunFeed } from '../../../../service/dashboard/logs/api.ts';
import type { FeedLine } from '../../../../watch/contract.ts';
import * as client from '../../../client.ts';
import { Problem } from '../../../parts/words.tsx';
import { Paging } from './paging.tsx';
import { usePages, useSettled, type Ask } from './use-pages.ts';

interface Given {
  readonly id: string;
  /** Changes when there is a new line. */
  readonly last: number;
  readonly isOver: boolean;
}

/** Lines of a page. */
const limit = 100;

/** What happened in a run, with a search over all of it. */
export function Feed({ id, last, isOver }: Given) {
  const [sought, setSought] = useState('');
  const find = useSettled(sought.trim());
  const ask: Ask<RunFeed> = useCallback(
    (place, signal) => client.feed(id, { find, limit, before: place }, signal), [id, find],
  );
  const { page, problem, goOlder, goNewer } = usePages(ask, `${last} ${isOver}`, null);
  return (
    <section aria-labelledby="feed">
      <div class="section-head">
        <h2 id="feed">What happened</h2>
        <div class="buttons">
          <label class="search">
            <span>Search</span>
            <input
              type="search" value={sought} maxLength={200} onInput={(event) => setSought(event.currentTarget.value)}
            />
          </label>
          <Paging goOlder={goOlder} goNewer={goNewer} what="lines of what happened" />
        </div>
      </div>
      <p class="note">{origins[page?.from ?? 'stored']}</p>
      {problem !== '' && <Problem text={problem} />}
      {page !== null && (page.lines.length === 0
        ? <p class="nothing" role="status">{find === '' ? 'Nothing yet.' : 'No line contains these words.'}</p>
        : (
          <div class="feed" tabIndex={0} role="region" aria-label="Lines of what happened">
            <FeedLines lines={page.lines} />
          </div>
        ))}
    </section>
  );
}

const origins: Readonly<Record<RunFeed['from'], string>> = {
  stored: 'Newest first.',
  recent: 'Newest first; only the last 500 lines, as the run writes no record.',
  record: 'Newest first. The run was not watched: its record has only changes, crashes and the end.',
};

export function FeedLines({ lines }: { readonly lines: readonly FeedLine[] }) {
  return useMemo(() => (
    <ol class="lines" reversed>
      {lines.map(({ number: key, at, processor, text }) => (
        <li key={key}>
          <span class="when">{duration(at)}</span>
          <span class="who">{processor === null ? '' : `processor ${number(processor)}`}</span>
          <span><bdi>{text}</bdi></span>
        </li>
      ))}
    </ol>
  ), [lines]);
}

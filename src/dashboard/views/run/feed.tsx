import { useMemo, useState } from 'preact/hooks';
import { counted, duration, number } from '../../../report/page/format.ts';
import { maxFeedLines, type FeedLine } from '../../../watch/contract.ts';

/** Lines that are drawn unless the reader asks for all. */
const fewLines = 100;

export function Feed({ feed }: { readonly feed: readonly FeedLine[] }) {
  const [sought, setSought] = useState('');
  const [isWhole, setWhole] = useState(false);
  const found = useMemo(() => {
    const words = sought.trim().toLowerCase();
    return feed.filter(({ text }) => text.toLowerCase().includes(words)).reverse();
  }, [feed, sought]);
  const shown = isWhole ? found : found.slice(0, fewLines);
  return (
    <section aria-labelledby="feed">
      <div class="section-head">
        <h2 id="feed">What happened</h2>
        <label class="search">
          <span>Search</span>
          <input
            type="search" value={sought} onInput={(event) => setSought(event.currentTarget.value)}
          />
        </label>
      </div>
      <p class="note">
        Newest first; the last {number(maxFeedLines)} at most.{' '}
        {sought !== '' && `${counted(found.length, 'line')} found.`}
      </p>
      {found.length === 0
        ? <p class="nothing">{feed.length === 0 ? 'Nothing yet.' : 'No line has these words.'}</p>
        : (
          <div class="feed" tabIndex={0} role="region" aria-label="Lines of what happened">
            <FeedLines lines={shown} />
            {shown.length < found.length && (
              <button type="button" onClick={() => setWhole(true)}>
                Show {number(found.length - shown.length)} more
              </button>
            )}
          </div>
        )}
    </section>
  );
}

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

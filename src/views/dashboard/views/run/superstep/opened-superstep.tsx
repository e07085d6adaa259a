import { useEffect, useState } from 'preact/hooks';
import { counted, number } from '../../../../report/page/format.ts';
import type { OpenedSuperstep as Opened } from '../../../../service/dashboard/timeline/api.ts';
import * as client from '../../../client.ts';
import { Table } from '../../../parts/table.tsx';
import { Problem } from '../../../parts/words.tsx';
import { outcomeWords } from '../../../run/words.ts';
import { lengthText } from './bars.ts';
import { Timeline } from './timeline.tsx';

/** Rows of the table, which says the same as the picture. */
const MAX_ROWS = 500;

/** An object, so that `last` can be asked for again while the run goes on. */
interface Asked {
  readonly superstep: number | 'last';
}

/** What processors and robots did in one superstep; the last one, until the reader names another. */
export function OpenedSuperstep({ id, isOver }: { readonly id: string; readonly isOver: boolean }) {
  const [request, setAsked] = useState<Asked>({ superstep: 'last' });
  const [draft, setDraft] = useState<string | null>(null);
  const { opened, isEmpty, problem } = useOpened(id, request, isOver);
  const at = opened?.superstep ?? 0;
  const last = opened?.last ?? 0;
  const go = (superstep: number): void => {
    setDraft(null);
    if (Number.isInteger(superstep) && superstep >= 0) setAsked({ superstep: Math.min(superstep, last) });
  };
  // What is typed stays while an answer comes.
  const value = draft ?? (request.superstep === 'last' ? at : request.superstep);
  return (
    <section aria-labelledby="opened" class="opened">
      <div class="section-head">
        <h2 id="opened">A superstep opened</h2>
        <div class="buttons">
          <button type="button" class="small" disabled={opened === null || at === 0} onClick={() => go(at - 1)}>
            Previous
          </button>
          <label class="search">
            <span>Superstep</span>
            <input
              type="number" min={0} max={last} value={value} onInput={(event) => setDraft(event.currentTarget.value)}
              onChange={(event) => go(event.currentTarget.valueAsNumber)}
            />
          </label>
          <button type="button" class="small" disabled={opened === null || at >= last} onClick={() => go(at + 1)}>
            Next
          </button>
          <button type="button" class="small" onClick={() => setAsked({ superstep: 'last' })}>Last</button>
        </div>
      </div>
      {problem !== '' && <Problem text={problem} />}
      {opened !== null && <Shown opened={opened} />}
      {isEmpty && <p class="nothing">No superstep is recorded yet.</p>}
      <p class="note">
        <a href={client.traceUrl(id)} download="trace.json">trace.json</a> has the timeline of the whole run;
        {' '}<a href={client.traceUrl(id, at)} download="trace.json">trace.json of superstep {number(at)}</a> only this
        one. Open the file yourself in ui.perfetto.dev or chrome://tracing: this page sends it nowhere.
      </p>
    </section>
  );
}

function Shown({ opened }: { readonly opened: Opened }) {
  const { superstep, last, beginUs, barrierUs, count, truncated, processors } = opened;
  const listedCount = processors.reduce((sum, { downloads }) => sum + downloads.length, 0);
  return (
    <>
      <p class="note">
        Superstep {number(superstep)} of 0 to {number(last)}: {lengthText(barrierUs - beginUs)},{' '}
        {counted(count, 'download')}.
        {truncated && ` Only the first ${number(listedCount)} are shown.`}
        {processors.some(({ processor }) => processor === null)
          && ' The graph of the run cannot be opened, so pages have no names, and all processors share their lanes.'}
      </p>
      <Timeline opened={opened} />
      <Downloads opened={opened} />
    </>
  );
}

function Downloads({ opened: { processors, beginUs } }: { readonly opened: Opened }) {
  const [isOpen, setOpen] = useState(false);
  const downloads = isOpen
    ? processors.flatMap(({ processor, downloads: list }) => list.map((download) => ({ processor, ...download }))) : [];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The same as a table</summary>
      {isOpen && (
        <Table
          label="Table of downloads" isTall isHeaded={false} rows={downloads.slice(0, MAX_ROWS)} keyOf={(_, i) => i}
          columns={[
            ['Page', ({ name }) => <bdi>{name}</bdi>, 'name'],
            ['Outcome', ({ kind }) => outcomeWords(kind), ''],
            ['Processor', ({ processor }) => (processor === null ? 'unknown' : number(processor))],
            ['Robot', ({ lane }) => number(lane)],
            ['Began, ms after the superstep', ({ startedUs }) => number((startedUs - beginUs) / 1000, 2)],
            ['Took', ({ startedUs, finishedUs }) => lengthText(finishedUs - startedUs)],
          ]}
        />
      )}
      {downloads.length > MAX_ROWS && (
        <p class="note">{counted(downloads.length - MAX_ROWS, 'more download')}: trace.json has them all.</p>
      )}
    </details>
  );
}

/** A record is written in blocks: the first one is asked for until it is there. */
const askAgainMs = 2000;

interface Answer {
  readonly opened: Opened | null;
  /** Whether no superstep is recorded yet. */
  readonly isEmpty: boolean;
  readonly problem: string;
}

/**
 * What the server says of a superstep; until it answers, what was shown before. A run that has ended is asked again:
 * only then its record is complete, and the pages of a live crawl have names.
 */
function useOpened(id: string, request: Asked, isOver: boolean): Answer {
  const [answer, setAnswer] = useState<Answer>(nothing);
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const opened = await client.superstep(id, request.superstep);
        if (isGone) return;
        setAnswer({ opened, isEmpty: opened === null, problem: '' });
        if (opened === null) timer = setTimeout(() => void ask(), askAgainMs);
      } catch (error) {
        if (!isGone) setAnswer((answer) => ({ ...answer, problem: (error as Error).message }));
      }
    };
    void ask();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [id, request, isOver]);
  return answer;
}

const nothing: Answer = { opened: null, isEmpty: false, problem: '' };

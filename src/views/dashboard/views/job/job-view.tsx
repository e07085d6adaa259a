import { useMemo, useState } from 'preact/hooks';
import { counted } from '../../../report/page/format.ts';
import type { RunView } from '../../../service/dashboard/api.ts';
import type { JobState } from '../../../watch/contract.ts';
import { CommandSection } from '../../parts/copy.tsx';
import { Failure, Problem } from '../../parts/words.tsx';
import { hasEnded, type RunData } from '../../run/run-data.ts';
import { asked } from '../run/asked.ts';
import { Stop } from '../run/controls.tsx';
import { FeedLines } from '../run/log/feed.tsx';
import { boardCsv } from './board-text.ts';
import { CandidatesTable } from './candidates-table.tsx';
import { JobHead } from './job-head.tsx';
import { Picture } from './picture.tsx';
import { maxRows, raceDrawing } from './race.ts';
import { trialsDrawing } from './trials.ts';

interface Given {
  readonly id: string;
  readonly data: RunData;
  readonly view: RunView | null;
  /** The problem of the server; '' without one. */
  readonly problem: string;
}

/** A plan, a tune or a study: while it goes on from its events, afterwards from its folder. */
export function JobView({ id, data: { card, job, feed }, view, problem }: Given) {
  const listed = view?.listed;
  const kind = card?.kind ?? listed?.kind ?? '';
  const isOver = job === null || hasEnded(job) ? listed?.state !== 'running' : false;
  const error = job?.error ?? listed?.problem ?? '';
  const command = card?.command ?? listed?.command ?? '';
  const folder = listed?.folder ?? card?.folder ?? null;
  return (
    <>
      <JobHead kind={kind} name={card?.name ?? listed?.name ?? ''} job={job} listed={listed} isOver={isOver} />
      {problem !== '' && <Problem text={problem} />}
      {error !== '' && listed?.state !== 'interrupted' && <Failure text={error} />}
      {listed?.state === 'interrupted' && <p class="note">Interrupted: {listed.problem}. The command is below.</p>}
      {job !== null && !isOver && <StopJob id={id} job={job} />}
      {job !== null && job.candidates.length > 0 && <Board id={id} kind={kind} job={job} isOver={isOver} />}
      {feed.length > 0 && <Happened feed={feed} />}
      {command !== '' && <CommandSection command={command} folder={folder} folderIs="Folder" />}
    </>
  );
}

/** The phases of the job and its remarks, the latest first: they are few. */
function Happened({ feed }: { readonly feed: RunData['feed'] }) {
  const lines = useMemo(() => [...feed].reverse(), [feed]);
  return (
    <section aria-labelledby="feed">
      <h2 id="feed">What happened</h2>
      <div class="feed" tabIndex={0} role="region" aria-label="Lines of what happened"><FeedLines lines={lines} /></div>
    </section>
  );
}

function StopJob({ id, job: { phase } }: { readonly id: string; readonly job: JobState }) {
  const [problem, setProblem] = useState('');
  return (
    <section class="controls" aria-label="Steer the job">
      <Stop
        isPossible={phase === 'preparing' || phase === 'running'} what="It ends soon; finished runs are stored."
        stop={async () => setProblem(await asked(id, { do: 'stop' }))}
      />
      {problem !== '' && <Problem text={problem} />}
    </section>
  );
}

const titles: Readonly<Record<string, string>> = { plan: 'The race', tune: 'Trials', study: 'Cells of the grid' };

function Board({ id, kind, job, isOver }: {
  readonly id: string; readonly kind: string; readonly job: JobState; readonly isOver: boolean;
}) {
  const { noun, candidates, unlisted, measures } = job;
  const [isOpen, setOpen] = useState(false);
  const out = candidates.filter(({ standing }) => standing === 'out').length;
  const best = candidates.find(({ standing }) => standing === 'best');
  const all = candidates.length + unlisted;
  const bestText = best === undefined ? '' : `; the best${isOver ? '' : ' so far'}: ${best.name}`;
  const sentence = `${counted(all, noun)} by ${measures.map(({ name }) => name).join(' and ')}; ` +
    `${out} of those listed ruled out${bestText}.`;
  const [first, second] = measures.map(({ name }) => name);
  const title = `${capital(first)} ${kind === 'tune' ? 'by R_x' : `and ${second}, by ${noun}`}`;
  const table = <CandidatesTable board={job} isOver={isOver} />;
  return (
    <section aria-labelledby="board">
      <h2 id="board">{titles[kind]}</h2>
      <p class="note">
        {kind === 'tune' ? 'Each dot is a trial; hollow ones exceed what is allowed.'
          : 'A dot is a mean, the line through it the 95 % interval over its seeds; a single run has no line. '}
        {kind === 'plan' && 'Names struck through are ruled out. '}
        {kind === 'plan' && !isOver && 'In a round all run for the same short time; those with a cost ran to the end. '}
        {kind !== 'tune' && candidates.length > maxRows && `The first ${maxRows} of ${all} are drawn.`}
      </p>
      <Picture
        id={id} name={kind} title={title} sentence={sentence} csv={() => boardCsv(job)}
        draw={(width) => (kind === 'tune' ? trialsDrawing(job, width) : raceDrawing(job, width))}
      />
      {kind === 'study' ? table : (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>The same as a table</summary>
          {isOpen && table}
        </details>
      )}
    </section>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

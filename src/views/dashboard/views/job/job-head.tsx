import { duration, number, percent } from '../../../report/page/format.ts';
import type { RunView } from '../../../service/dashboard/api.ts';
import type { JobProgress, JobState } from '../../../watch/contract.ts';
import { reportUrl } from '../../client.ts';
import { StateWord } from '../../parts/words.tsx';

interface Given {
  readonly kind: string;
  readonly name: string;
  readonly job: JobState | null;
  readonly listed: RunView['listed'] | undefined;
  readonly isOver: boolean;
}

/** What the job is, what it answers so far, and how far it is. */
export function JobHead({ kind, name, job, listed, isOver }: Given) {
  const answer = job?.answer ?? listed?.answer ?? null;
  const ended = listed === undefined || listed.state === 'running' ? undefined : listed.state;
  const state = (isOver ? ended : undefined) ?? job?.phase ?? ended ?? 'preparing';
  return (
    <header class="run-head">
      <h1><bdi>{name}</bdi></h1>
      <p class="lede">
        <StateWord state={state} />
        <span>{kind}</span>
        {job?.phase === 'stopping' && <span>finished runs are stored</span>}
        {job !== null && <span>{duration(job.elapsedSeconds)} of real time</span>}
      </p>
      {!isOver && <Progress progress={job?.progress ?? null} />}
      <section class="answer" aria-labelledby="answer" aria-live="off">
        <h2 id="answer">{isOver && state === 'finished' ? 'The answer' : 'The answer so far'}</h2>
        <p>{answer === null ? <span class="nothing">{isOver ? 'None.' : 'None yet.'}</span> : <bdi>{answer}</bdi>}</p>
        {listed?.hasReport === true && <a class="button main" href={reportUrl(listed.id)}>Open the report</a>}
      </section>
    </header>
  );
}

function Progress({ progress }: { readonly progress: JobProgress | null }) {
  if (progress === null) return <p class="progress">Reading and ranking the graph …</p>;
  const { doing, done, asked, cached, share, secondsLeft } = progress;
  return (
    <div class="progress">
      <progress max={1} value={share ?? 0} aria-label="How far the job is" />
      <span>
        {share !== null && `${percent(share)}, `}{doing}: {number(done)} of {number(asked)}
        {cached > 0 && ` (${number(cached)} found among finished runs)`}
        {secondsLeft !== null && `, about ${timeLeft(secondsLeft)} left`}
      </span>
    </div>
  );
}

/** Whole seconds: it is an estimate. */
function timeLeft(seconds: number): string {
  return seconds < 60 ? `${Math.ceil(seconds)}\u202fs` : duration(seconds);
}

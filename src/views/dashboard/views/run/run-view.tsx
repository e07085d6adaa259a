import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { RunView as Answer } from '../../../service/dashboard/api.ts';
import type { CurveColumns, RunState } from '../../../watch/contract.ts';
import * as client from '../../client.ts';
import { CommandSection } from '../../parts/copy.tsx';
import { live, useChanges, useRunsChange, useTitle } from '../../parts/hooks.ts';
import { Failure, Problem } from '../../parts/words.tsx';
import { runAddress } from '../../routes.ts';
import { isJob } from '../../run/words.ts';
import { factsOf } from '../../run/facts.ts';
import { policyFilesOf } from '../../run/policy-files.ts';
import { hasEnded, isStarted } from '../../run/run-data.ts';
import { shownProcessors } from '../../run/shown-processors.ts';
import { RunStore } from '../../run/run-store.ts';
import { JobView } from '../job/job-view.tsx';
import { Controls } from './controls.tsx';
import { Curves } from './curves.tsx';
import { Fork } from './fork.tsx';
import { Head } from './head.tsx';
import { Feed } from './log/feed.tsx';
import { LogSection } from './log/log-section.tsx';
import { Processors } from './processors/processors.tsx';
import { Statistics } from './statistics.tsx';
import { OpenedSuperstep } from './superstep/opened-superstep.tsx';

/** One run: while it goes on from its events, afterwards from its record. */
export function RunView({ id }: { readonly id: string }) {
  const store = useMemo(() => new RunStore(id), [id]);
  const { view, problem } = useView(store);
  useEffect(() => store.join(live()), [store]);
  useChanges((changed) => store.follow(changed), [store]);
  const { data } = store;
  const { card, state, curves, feed } = data;
  const listed = view?.listed;
  useTitle(card?.name ?? listed?.name ?? '');
  const facts = factsOf(data, view);
  const beside = useBeside(listed?.forkOf ?? null);
  if (card === null && listed === undefined) {
    return problem === '' ? <p class="nothing">Loading the run …</p> : <Problem text={problem} />;
  }
  if (isJob(card?.kind ?? listed?.kind)) return <JobView id={id} data={data} view={view} problem={problem} />;
  const isOver = state === null ? listed?.state !== 'running' : hasEnded(state);
  const error = state?.error ?? listed?.problem ?? null;
  const processors = shownProcessors(state, view);
  const started = card !== null && isStarted(card) ? card : null;
  const command = card?.command ?? listed?.command ?? '';
  return (
    <>
      <Head data={data} view={view} facts={facts} />
      {problem !== '' && <Problem text={problem} />}
      {error !== null && error !== '' && <Failure text={error} />}
      {state !== null && !isOver && <Controls id={id} state={state} hasPace={card?.kind === 'simulation'} />}
      {curves.superstep.length > 0 && (
        <Curves id={id} curves={curves} beside={beside} bound={started?.bound ?? null} />
      )}
      {canFork(data, view) && <Fork id={id} curves={curves} policies={policyFilesOf(started)} />}
      {curves.superstep.length > 0 && folderOf(data, view) !== null && <OpenedSuperstep id={id} isOver={isOver} />}
      {(state !== null || processors.length > 0) && (
        <Processors id={id} processors={processors} canSteer={canSteer(state)} isOver={isOver} />
      )}
      {facts !== null && <Statistics id={id} facts={facts} data={data} isOver={isOver} />}
      <Feed id={id} last={feed.at(-1)?.number ?? -1} isOver={isOver} />
      {folderOf(data, view) !== null && listed?.kind !== 'runs' && (
        <LogSection id={id} processors={started?.processors ?? null} isOver={isOver} />
      )}
      {command !== '' && <CommandSection command={command} folder={folderOf(data, view)} folderIs="Record" />}
    </>
  );
}

const canSteer = (state: RunState | null): boolean => state?.phase === 'running' || state?.phase === 'paused';

/** Only simulations that are recorded, and have a superstep. */
function canFork(data: RunStore['data'], view: Answer | null): boolean {
  const kind = data.card?.kind ?? view?.listed.kind;
  return kind === 'simulation' && folderOf(data, view) !== null && data.curves.superstep.length > 0;
}

/** The curves of the run that a fork began as; null for other runs, and where it is gone. */
function useBeside(forkOf: Answer['listed']['forkOf']): CurveColumns | null {
  const [curves, setCurves] = useState<CurveColumns | null>(null);
  const id = forkOf?.id ?? '';
  useEffect(() => {
    setCurves(null);
    if (id !== '') client.run(id).then((view) => setCurves(view.curves), () => undefined);
  }, [id]);
  return curves;
}

function folderOf({ card }: RunStore['data'], view: Answer | null): string | null {
  return view?.listed.folder ?? card?.folder ?? null;
}

/** What the server says of a run: at first, when the list of runs changes, and when the run has ended. */
function useView(store: RunStore): { readonly view: Answer | null; readonly problem: string } {
  const [answer, setAnswer] = useState<{ readonly view: Answer | null; readonly problem: string }>(nothing);
  const ask = useCallback(async () => {
    try {
      const view = await client.run(store.id);
      store.view(view);
      setAnswer({ view, problem: '' });
    } catch (error) {
      const refused = error as client.Refused;
      const next = refused.status === 404 ? await finishedAs(store) : undefined;
      if (next !== undefined) location.replace(runAddress(next));
      else {
        // That the server does not answer is said above everything.
        setAnswer(({ view }) => ({ view, problem: view !== null && refused.status === 0 ? '' : refused.message }));
      }
    }
  }, [store]);
  useEffect(() => {
    setAnswer(nothing);
    void ask();
  }, [ask]);
  useRunsChange(() => void ask(), [ask]);
  return answer;
}

const nothing = { view: null, problem: '' };

/** A finished run is listed by its folder, under another id. */
async function finishedAs({ id, data }: RunStore): Promise<string | undefined> {
  const folder = data.card?.folder ?? null;
  if (folder === null) return undefined;
  const listed = await client.runs().catch(() => []);
  return listed.find((run) => run.folder === folder && run.id !== id)?.id;
}

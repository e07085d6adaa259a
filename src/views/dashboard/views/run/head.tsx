import { duration, number } from '../../../report/page/format.ts';
import type { RunView } from '../../../service/dashboard/api.ts';
import { reportUrl } from '../../client.ts';
import { StateWord } from '../../parts/words.tsx';
import { graphAddress, runAddress } from '../../routes.ts';
import { progressOf, type RunFacts } from '../../run/facts.ts';
import { hasEnded, isStarted, type RunData } from '../../run/run-data.ts';
import { bytesText, phaseWords } from '../../run/words.ts';

interface Given {
  readonly data: RunData;
  readonly view: RunView | null;
  readonly facts: RunFacts | null;
}

/** What the run is, how far it is, and its main figures. */
export function Head({ data, view, facts }: Given) {
  const { card, state } = data;
  const listed = view?.listed;
  const isOver = state === null ? listed?.state !== 'running' : hasEnded(state);
  const limits = view?.limits ?? state?.limits ?? null;
  // The list knows whether a run was ended early.
  const ended = listed === undefined || listed.state === 'running' ? undefined : listed.state;
  const phase = (state !== null && !hasEnded(state) ? state.phase : ended) ?? state?.phase ?? 'preparing';
  return (
    <header class="run-head">
      <h1><bdi>{card?.name ?? listed?.name ?? ''}</bdi></h1>
      <p class="lede">
        <StateWord state={phase} />
        {state !== null && phaseWords[state.phase] !== '' && <span>{phaseWords[state.phase]}</span>}
        <span>{(card?.kind ?? listed?.kind) === 'live' ? 'live crawl' : 'simulation'}</span>
        {policyOf(data, view) !== '' && <span>policy <b>{policyOf(data, view)}</b></span>}
        {sizeOf(data, view) !== '' && <span>{sizeOf(data, view)}</span>}
        {listed !== undefined && listed.forkOf !== null && (
          <span>
            <a href={runAddress(listed.forkOf.id)}>fork</a> from superstep {number(listed.forkOf.superstep)}
          </span>
        )}
        {listed !== undefined && listed.folder !== null && <a href={graphAddress(listed.id)}>Graph</a>}
        {listed?.hasReport === true && <a href={reportUrl(listed.id)}>Report</a>}
      </p>
      {facts !== null && !isOver && <Progress facts={facts} data={data} />}
      {facts !== null && <Tiles facts={facts} />}
      {limits !== null && <p class="limits">{limits}</p>}
    </header>
  );
}

function policyOf({ card }: RunData, view: RunView | null): string {
  const policy = card !== null && isStarted(card) ? card.settings['policy'] : view?.listed.figures?.policy;
  return typeof policy === 'string' ? policy : '';
}

function sizeOf({ card, state }: RunData, view: RunView | null): string {
  const figures = view?.listed.figures;
  const processors = card !== null && isStarted(card) ? card.processors : figures?.processors;
  const robots = state?.processors[0]?.robots ?? figures?.robots;
  if (processors === undefined) return '';
  const ofRobots = robots === undefined || state?.processors.some((processor) => processor.robots !== robots) === true
    ? '' : ` × ${number(robots)} robots`;
  return `${number(processors)} ${processors === 1 ? 'processor' : 'processors'}${ofRobots}`;
}

function Progress({ facts, data }: { readonly facts: RunFacts; readonly data: RunData }) {
  const { share, words } = progressOf(facts, data);
  return (
    <div class="progress">
      <progress max={1} value={Math.min(1, share)} aria-label="How far the run is" />
      <span>{words}</span>
    </div>
  );
}

function Tiles({ facts }: { readonly facts: RunFacts }) {
  const { pages, seconds, elapsedSeconds, bytes, failures, supersteps } = facts;
  const tiles = [
    ['Pages', number(pages), 'fetched'],
    ['Time of the run', duration(seconds), elapsedSeconds === null ? '' : `${duration(elapsedSeconds)} of real time`],
    ['Pages per second', seconds > 0 ? number(pages / seconds, 1) : 'none', "of the run's clock"],
    ['Downloaded', bytesText(bytes), seconds > 0 ? `${bytesText(bytes / seconds)}/s` : ''],
    ['Failures', number(failures), 'downloads without a page'],
    ['Supersteps', number(supersteps), ''],
  ] as const;
  return (
    <dl class="tiles">
      {tiles.map(([name, value, note]) => (
        <div class="tile" key={name}>
          <dt class="name">{name}</dt><dd class="value">{value}</dd>{note !== '' && <dd class="note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

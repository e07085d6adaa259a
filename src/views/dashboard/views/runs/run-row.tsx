import { duration, number, percent } from '../../../report/page/format.ts';
import type { ListedRun, RunFigures } from '../../../service/dashboard/api.ts';
import { reportUrl } from '../../client.ts';
import { StateWord } from '../../parts/words.tsx';
import { runAddress } from '../../routes.ts';
import { isComparable } from '../../run/shown-runs.ts';
import { isJob, kindWords } from '../../run/words.ts';
import type { RunNow } from './use-running.ts';

interface Given {
  readonly run: ListedRun;
  /** The figures of a run that goes on. */
  readonly now: RunNow | null;
  readonly isChosen: boolean;
  readonly choose: (id: string, isChosen: boolean) => void;
}

const started = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function RunRow({ run, now, isChosen, choose }: Given) {
  const { id, name, state, folder, hasReport, problem, startedAt } = run;
  const figures = run.figures ?? now;
  const canCompare = isComparable(run);
  return (
    <tr>
      <th scope="row" class="name">
        {canCompare && (
          <input
            type="checkbox" checked={isChosen} aria-label={`Compare ${name}, ${folderName(folder ?? id)}`}
            onChange={(event) => choose(id, event.currentTarget.checked)}
          />
        )}
        {run.kind === 'runs' ? <bdi>{name}</bdi> : <a href={runAddress(id)}><bdi>{name}</bdi></a>}
        <small>
          {kindWords(run.kind)}
          {folder !== null && !name.includes(folderName(folder)) && <>, <bdi>{folderName(folder)}</bdi></>}
          {run.forkOf !== null && (
            <>, <a href={runAddress(run.forkOf.id)}>fork</a> from superstep {number(run.forkOf.superstep)}</>
          )}
        </small>
      </th>
      <td>
        <StateWord state={state === 'running' ? now?.phase ?? 'running' : state} />
        {now?.share !== undefined && now.share !== null && <small class="why">{percent(now.share)} done</small>}
        {problem !== null && <small class="why"><bdi>{problem}</bdi></small>}
      </td>
      {isJob(run.kind)
        ? <td colSpan={6} class="found"><bdi>{run.answer ?? ''}</bdi></td>
        : <Figures figures={figures} />}
      <td>{startedAt === null ? '' : <time dateTime={startedAt}>{started.format(new Date(startedAt))}</time>}</td>
      <td>{hasReport && <a href={reportUrl(id)} aria-label={`Report of ${name}`}>Report</a>}</td>
    </tr>
  );
}

/** The figures of a crawl, a cell each. */
function Figures({ figures }: { readonly figures: Partial<RunFigures> | null }) {
  const textOf = <T,>(value: T | null | undefined, text: (value: T) => string): string =>
    value === undefined || value === null ? '' : text(value);
  return (
    <>
      <td>{figures?.policy ?? ''}</td>
      <td class="figure">
        {figures?.processors === undefined ? '' : `${number(figures.processors)} × ${textOf(figures.robots, number)}`}
      </td>
      <td class="figure">{textOf(figures?.pages, number)}</td>
      <td class="figure">{textOf(figures?.seconds, duration)}</td>
      <td class="figure">{textOf(figures?.rank, percent)}</td>
      <td class="figure">{textOf(figures?.balance, (value) => number(value, 3))}</td>
    </>
  );
}

function folderName(folder: string): string {
  return folder.split(/[/\\]/).at(-1) ?? folder;
}

import { useCallback, useEffect, useState } from 'preact/hooks';
import { counted } from '../../../report/page/format.ts';
import type { ListedRun } from '../../../service/dashboard/api.ts';
import * as client from '../../client.ts';
import { Copyable } from '../../parts/copy.tsx';
import { useRunsChange, useTitle } from '../../parts/hooks.ts';
import { Problem, Scroll } from '../../parts/words.tsx';
import { compareAddress } from '../../routes.ts';
import { compareCommand, everything, isComparable, shownRuns, type Sought } from '../../run/shown-runs.ts';
import { RunRow } from './run-row.tsx';
import { useRunning } from './use-running.ts';

const states: readonly Sought['state'][] = ['all', 'running', 'finished', 'interrupted', 'failed', 'damaged'];

/** All runs: those that go on, and those that the runs folder has. */
export function RunsView() {
  useTitle('');
  const [runs, setRuns] = useState<readonly ListedRun[] | null>(null);
  const [problem, setProblem] = useState('');
  const load = useCallback(() => {
    client.runs().then((list) => {
      setRuns(list);
      setProblem('');
    }, (error: unknown) => setProblem((error as client.Refused).status === 0 ? '' : (error as Error).message));
  }, []);
  useEffect(load, [load]);
  useRunsChange(load, [load]);
  return (
    <>
      <div class="title">
        <h1>Runs</h1>
        <a class="button main" href="#/new">New run</a>
      </div>
      {problem !== '' && <Problem text={problem} />}
      {runs === null && problem === '' && <p class="nothing">Loading the runs …</p>}
      {runs?.length === 0 && <NoRuns />}
      {runs !== null && runs.length > 0 && <RunsTable runs={runs} />}
    </>
  );
}

function NoRuns() {
  return (
    <section class="empty">
      <h2>No run yet</h2>
      <p>
        <a href="#/new">Start a run</a> here, or on the command line; it appears here while it goes on and once it has
        finished:
      </p>
      <Copyable text="orbweaver simulate docs-web --watch --out runs/first" what="command" />
    </section>
  );
}

function RunsTable({ runs }: { readonly runs: readonly ListedRun[] }) {
  const [sought, setSought] = useState<Sought>(everything);
  const [ids, setChosen] = useState<ReadonlySet<string>>(new Set());
  const running = useRunning(runs);
  const visible = shownRuns(runs, sought);
  const compared = runs.filter(({ id }) => ids.has(id));
  const hasSeveral = runs.filter(isComparable).length > 1;
  const choose = useCallback((id: string, isChosen: boolean) => setChosen((ids) => {
    const after = new Set(ids);
    if (isChosen) after.add(id);
    else after.delete(id);
    return after;
  }), []);
  return (
    <>
      <Filters runs={runs} sought={sought} set={setSought} found={visible.length} />
      {compared.length === 0 && hasSeveral && <p class="note">Choose finished runs to compare them.</p>}
      {compared.length > 0 && (
        <section class="compared" aria-label="Compare">
          {compared.length === 1
            ? <p>Choose another finished run to compare <b><bdi>{compared[0].name}</bdi></b> with.</p>
            : <p><a class="button main" href={compareAddress([...ids])}>Compare the {compared.length} runs</a></p>}
          {compared.length > 1 && <Copyable text={compareCommand(compared)} what="command" />}
          <button type="button" class="small" onClick={() => setChosen(new Set())}>Choose none</button>
        </section>
      )}
      <Scroll label="Table of runs">
        <table class="runs">
          <thead>
            <tr>
              <th scope="col">Name</th><th scope="col">State</th><th scope="col">Policy</th>
              <th scope="col" class="figure">P × r</th><th scope="col" class="figure">Pages</th>
              <th scope="col" class="figure">Time of the run</th><th scope="col" class="figure">Rank gathered</th>
              <th scope="col" class="figure">Balance</th><th scope="col">Started</th><th scope="col">Report</th>
            </tr>
          </thead>
          <tbody>
            {visible.map((run) => (
              <RunRow
                key={run.id} run={run} now={running.get(run.id) ?? null} isChosen={ids.has(run.id)} choose={choose}
              />
            ))}
          </tbody>
        </table>
        {visible.length === 0 && <p class="nothing">No run is like that.</p>}
      </Scroll>
    </>
  );
}

interface FiltersGiven {
  readonly runs: readonly ListedRun[];
  readonly sought: Sought;
  readonly set: (sought: Sought) => void;
  readonly found: number;
}

function Filters({ runs, sought, set, found: count }: FiltersGiven) {
  const kinds = [...new Set(runs.map(({ kind }) => kind))].sort();
  const policies = [...new Set(runs.flatMap(({ figures }) => figures?.policy ?? []))].sort();
  return (
    <div class="filters" role="search">
      <label>
        <span>Search</span>
        <input
          type="search" value={sought.words}
          onInput={(event) => set({ ...sought, words: event.currentTarget.value })}
        />
      </label>
      <Choice
        name="State" value={sought.state} choices={states}
        set={(state) => set({ ...sought, state: state as Sought['state'] })}
      />
      {kinds.length > 1 && (
        <Choice
          name="Kind" value={sought.kind} choices={['all', ...kinds]}
          set={(kind) => set({ ...sought, kind: kind as Sought['kind'] })}
        />
      )}
      {policies.length > 1 && (
        <Choice
          name="Policy" value={sought.policy === '' ? 'all' : sought.policy} choices={['all', ...policies]}
          set={(policy) => set({ ...sought, policy: policy === 'all' ? '' : policy })}
        />
      )}
      <p class="note" role="status">
        {count < runs.length && `${count} of `}{counted(runs.length, 'run')}
      </p>
    </div>
  );
}

interface ChoiceGiven {
  readonly name: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly set: (value: string) => void;
}

function Choice({ name, value, choices, set }: ChoiceGiven) {
  return (
    <label>
      <span>{name}</span>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {choices.map((choice) => <option key={choice} value={choice}>{choice}</option>)}
      </select>
    </label>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ListedRun, SettingsForms } from '../../service/dashboard/api.ts';
import * as client from '../client.ts';
import { fieldsOf, type Field } from '../form/fields.ts';
import { MoreSettings } from '../form/more-settings.tsx';
import { Setting } from '../form/setting.tsx';
import { mainPaths, missing, newRun, type Kind, type Start } from '../form/made.ts';
import { GraphEntry, ListEntry, NetworkOf } from '../form/start-points.tsx';
import { StudyEntry } from '../form/study-entry.tsx';
import { useFinishedCrawls } from '../form/use-finished-crawls.ts';
import { useCheck, type Checked } from '../form/use-check.ts';
import { fieldNamed, settingsOf, type Typed } from '../form/values.ts';
import { Copyable } from '../parts/copy.tsx';
import { useTitle } from '../parts/hooks.ts';
import { Problem } from '../parts/words.tsx';
import { runAddress } from '../routes.ts';

/** The form asks for seeds elsewhere; the others have checksums of files, which the command line computes. */
const leftOut = ['seeds', 'userPolicies', 'scores', 'network.fit'];

export function NewRunView() {
  useTitle('New run');
  const [forms, setForms] = useState<SettingsForms | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    client.settings().then(setForms, (error: unknown) => setProblem((error as Error).message));
  }, []);
  return (
    <>
      <h1>New run</h1>
      {problem !== '' && <Problem text={problem} />}
      {forms === null ? problem === '' && <p class="nothing">Loading the settings …</p> : <Form forms={forms} />}
    </>
  );
}

function Form({ forms }: { readonly forms: SettingsForms }) {
  const [begin, setBegin] = useState<Start>(
    { kind: 'simulation', graph: '', seeds: [''], goals: [''], yaml: '', networkOf: '', out: '' });
  const [typed, setTyped] = useState<Typed>({});
  const [isStarting, setStarting] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const { kind } = begin;
  const crawls = useFinishedCrawls();
  const change = (changed: Partial<Start>): void => setBegin((begin) => ({ ...begin, ...changed }));
  const fields = useMemo(() => (kind === 'study' ? [] : fieldsOf(forms[kind]).filter(isAsked)), [forms, kind]);
  const run = newRun(begin, settingsOf(fields, typed));
  const [checked, refuse] = useCheck(run);
  const set = (path: string, value: string): void => setTyped((values) => ({ ...values, [path]: value }));
  const field = fieldNamed(checked.field, [...fields.map(({ path }) => path), ...startPaths]);
  const wrong = field === undefined ? null : { path: field, error: checked.error };
  const lacking = missing[kind];
  const errorAt = (path: string): string => wrong?.path === path ? wrong.error
    : isMissing && run === null && path === lacking.path ? lacking.words : '';
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    setMissing(run === null);
    if (run === null) return document.getElementById(lacking.id)?.focus();
    setStarting(true);
    try {
      location.hash = runAddress((await client.start(run)).id);
    } catch (error) {
      refuse(error as client.Refused);
      setStarting(false);
    }
  };
  const main = mainPaths[kind];
  const more = fields.filter(({ path }) => !main.includes(path));
  return (
    <form class="new-run" onSubmit={(event) => void start(event)} noValidate>
      <KindChoice kind={kind} set={(kind) => change({ kind: kind })} />
      <StartEntries {...{ begin, change, forms, crawls, errorAt }} />
      <MainSettings {...{ main, fields, typed, set, wrong, forms }}>
        {kind === 'simulation' && crawls.length > 0 && (
          <NetworkOf
            crawls={crawls} value={begin.networkOf} set={(networkOf) => change({ networkOf })}
            error={errorAt('networkOf')}
          />
        )}
        <Setting
          field={outField} value={begin.out} set={(_, out) => change({ out })} error={errorAt('out')}
        />
      </MainSettings>
      {more.length > 0 && <MoreSettings fields={more} typed={typed} set={set} wrong={wrong} />}
      <Outcome checked={checked} isEmpty={run === null} />
      {checked.error !== '' && wrong === null && <Problem text={checked.error} />}
      <button type="submit" class="main" disabled={isStarting}>
        {isStarting ? 'Starting …' : `Start the ${startWords[kind]}`}
      </button>
    </form>
  );
}

const startPaths = ['graph', 'seeds', 'goal', 'yaml', 'networkOf', 'out'];

const startWords: Readonly<Record<Kind, string>> = {
  simulation: 'run', live: 'run', plan: 'plan', tune: 'tune', study: 'study',
};

const outField: Field = {
  path: 'out', title: 'Name of the record', description: 'its folder, below the folder of runs', unit: '', kind: 'text',
  choices: [], standard: 'named after what is run', bounds: '', group: '',
};

interface StartGiven {
  readonly begin: Start;
  readonly change: (changed: Partial<Start>) => void;
  readonly forms: SettingsForms;
  readonly crawls: readonly ListedRun[];
  readonly errorAt: (path: string) => string;
}

/** The inputs for the start of a run and its goals. */
function StartEntries({ begin: { kind, graph, seeds, goals, yaml }, change, forms, crawls, errorAt }: StartGiven) {
  if (kind === 'live') {
    return (
      <ListEntry
        id="seed" name="Seed URL" legend="Seed URLs" placeholder="https://www.example.org/" add="Add a URL"
        about="The pages where the crawl starts. From there it follows links, to other hosts too."
        values={seeds} set={(values) => change({ seeds: values })} error={errorAt('seeds')}
      />
    );
  }
  return (
    <>
      {kind === 'study' && (
        <StudyEntry
          yaml={yaml} studies={forms.studies} set={(text) => change({ yaml: text })} error={errorAt('yaml')}
        />
      )}
      <GraphEntry
        graph={graph} graphs={forms.graphs} crawls={crawls} isOptional={kind === 'study'}
        set={(name) => change({ graph: name })} error={errorAt('graph')}
      />
      {kind === 'plan' && (
        <ListEntry
          id="goal" name="Goal" legend="Goals" placeholder="80% of rank" add="Add a goal"
          about="A share or a number: 80% of rank, 95% of hosts, 1.5M pages. All must hold. Without a goal, the plan looks for the most rank within the time."
          values={goals} set={(values) => change({ goals: values })} error={errorAt('goal')}
        />
      )}
    </>
  );
}

function KindChoice({ kind, set }: { readonly kind: Kind; readonly set: (kind: Kind) => void }) {
  const choices = [
    ['simulation', 'Simulation', 'a stored graph over a simulated network, in virtual time'],
    ['live', 'Live crawl', 'the web itself, with the same scheduler'],
    ['plan', 'Plan', 'the cheapest set-up that meets a goal, found by a race'],
    ['tune', 'Tune', 'how many pages a processor may fetch per superstep (R_x)'],
    ['study', 'Study', 'a grid of simulations, compared'],
  ] as const;
  return (
    <fieldset class="kinds">
      <legend>What to run</legend>
      {choices.map(([value, name, about]) => (
        <label key={value} class="kind">
          <input type="radio" name="kind" value={value} checked={kind === value} onChange={() => set(value)} />
          <span><b>{name}</b><small>{about}</small></span>
        </label>
      ))}
    </fieldset>
  );
}

function isAsked({ path }: Field): boolean {
  return !leftOut.some((name) => path === name || path.startsWith(`${name}.`));
}

interface MainGiven {
  /** Their paths. */
  readonly main: readonly string[];
  readonly fields: readonly Field[];
  readonly typed: Typed;
  readonly set: (path: string, value: string) => void;
  readonly wrong: { readonly path: string; readonly error: string } | null;
  readonly forms: SettingsForms;
  readonly children: ComponentChildren;
}

function MainSettings({ main, fields, typed, set, wrong, forms, children }: MainGiven) {
  const visible = main.flatMap((path) => fields.filter((field) => field.path === path));
  const aboutPolicy = (name: string): string => {
    const { description = '', worlds = '' } = forms.policies.find((policy) => policy.name === name) ?? {};
    return worlds === '' || worlds === 'simulations and crawls' ? description : `${description} (${worlds})`;
  };
  return (
    <div class="settings">
      {visible.map((field) => (
        <Setting
          key={field.path} field={field} value={typed[field.path] ?? ''} set={set}
          error={wrong?.path === field.path ? wrong.error : ''}
          {...(field.path === 'policy' && { aboutChoice: aboutPolicy })}
        />
      ))}
      {children}
    </div>
  );
}

function Outcome({ checked: { run }, isEmpty }: { readonly checked: Checked; readonly isEmpty: boolean }) {
  return (
    <section class="same" aria-labelledby="same">
      <h2 id="same">The same on the command line</h2>
      {run === null
        ? <p class="nothing">It appears here once {isEmpty ? 'the form says where to start' : 'all is right'}.</p>
        : (
          <>
            <Copyable text={run.command} what="command" />
            <details>
              <summary>Settings file</summary>
              <Copyable text={run.config} what="settings file" />
            </details>
          </>
        )}
    </section>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { NewRun, SettingsForms } from '../../service/dashboard/api.ts';
import * as client from '../client.ts';
import { fieldsOf, type Field } from '../form/fields.ts';
import { MoreSettings } from '../form/more-settings.tsx';
import { Setting } from '../form/setting.tsx';
import { GraphEntry, NetworkOf, SeedsEntry } from '../form/start-points.tsx';
import { useFinishedCrawls } from '../form/use-finished-crawls.ts';
import { useCheck, type Checked } from '../form/use-check.ts';
import { fieldNamed, seedsOf, settingsOf, type Typed } from '../form/values.ts';
import { Copyable } from '../parts/copy.tsx';
import { useTitle } from '../parts/hooks.ts';
import { Problem } from '../parts/words.tsx';
import { runAddress } from '../routes.ts';

/** Forks are made of a run, not here. */
type Kind = Exclude<NewRun['kind'], 'fork'>;

const mainPaths = [
  'live.contact', 'policy', 'processors', 'robots', 'superstepLimit', 'politenessMs', 'network.preset', 'maxPages',
  'maxSeconds',
];
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
  const [kind, setKind] = useState<Kind>('simulation');
  const [graph, setGraph] = useState('');
  const [seeds, setSeeds] = useState<readonly string[]>(['']);
  const [typed, setTyped] = useState<Typed>({});
  const [isStarting, setStarting] = useState(false);
  const [missing, setMissing] = useState(false);
  const [out, setOut] = useState('');
  const [networkOf, setNetworkOf] = useState('');
  const crawls = useFinishedCrawls();
  const fields = useMemo(() => fieldsOf(forms[kind]).filter(isAsked), [forms, kind]);
  const made = newRun({ kind, graph, seeds, networkOf, out }, settingsOf(fields, typed));
  const [checked, refuse] = useCheck(made);
  const set = (path: string, value: string): void => setTyped((before) => ({ ...before, [path]: value }));
  const point = kind === 'simulation' ? 'graph' : 'seeds';
  const named = fieldNamed(checked.field, [...fields.map(({ path }) => path), point, 'networkOf', 'out']);
  const wrong = named === undefined ? null : { path: named, error: checked.error };
  const pointError = wrong?.path === point ? wrong.error : missing && made === null ? missingWords[kind] : '';
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    setMissing(made === null);
    if (made === null) return document.getElementById(kind === 'simulation' ? 'graph' : 'seed-0')?.focus();
    setStarting(true);
    try {
      location.hash = runAddress((await client.start(made)).id);
    } catch (error) {
      refuse(error as client.Refused);
      setStarting(false);
    }
  };
  const more = fields.filter(({ path }) => !mainPaths.includes(path));
  return (
    <form class="new-run" onSubmit={(event) => void start(event)} noValidate>
      <KindChoice kind={kind} set={setKind} />
      {kind === 'simulation'
        ? <GraphEntry graph={graph} graphs={forms.graphs} crawls={crawls} set={setGraph} error={pointError} />
        : <SeedsEntry seeds={seeds} set={setSeeds} error={pointError} />}
      <MainSettings {...{ fields, typed, set, wrong, forms }}>
        {kind === 'simulation' && crawls.length > 0 && (
          <NetworkOf
            crawls={crawls} value={networkOf} set={setNetworkOf}
            error={wrong?.path === 'networkOf' ? wrong.error : ''}
          />
        )}
        <Setting
          field={outField} value={out} set={(_, value) => setOut(value)}
          error={wrong?.path === 'out' ? wrong.error : ''}
        />
      </MainSettings>
      <MoreSettings fields={more} typed={typed} set={set} wrong={wrong} />
      <Outcome checked={checked} isEmpty={made === null} />
      {checked.error !== '' && wrong === null && <Problem text={checked.error} />}
      <button type="submit" class="main" disabled={isStarting}>{isStarting ? 'Starting …' : 'Start the run'}</button>
    </form>
  );
}

const missingWords: Readonly<Record<Kind, string>> = {
  simulation: 'Choose a graph to crawl.', live: 'Give at least one URL to start from.',
};

const outField: Field = {
  path: 'out', title: 'Name of the record', description: 'its folder, below the folder of runs', unit: '', kind: 'text',
  choices: [], standard: 'made of graph and policy', bounds: '', group: '',
};

interface Start {
  readonly kind: Kind;
  readonly graph: string;
  readonly seeds: readonly string[];
  /** '' to fit the network to no crawl. */
  readonly networkOf: string;
  readonly out: string;
}

/** Null as long as nothing says where to start. */
function newRun(
  { kind, graph, seeds: typed, networkOf, out }: Start, settings: Record<string, unknown>,
): NewRun | null {
  const named = out.trim() === '' ? {} : { out: out.trim() };
  const seeds = seedsOf(typed);
  if (kind === 'live') return seeds.length === 0 ? null : { kind, seeds, settings, ...named };
  const fit = networkOf === '' ? {} : { networkOf };
  return graph.trim() === '' ? null : { kind, graph: graph.trim(), settings, ...fit, ...named };
}

function KindChoice({ kind, set }: { readonly kind: Kind; readonly set: (kind: Kind) => void }) {
  const choices = [
    ['simulation', 'Simulation', 'a stored graph over a simulated network, in virtual time'],
    ['live', 'Live crawl', 'the web itself, with the same scheduler'],
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
  return !leftOut.some((one) => path === one || path.startsWith(`${one}.`));
}

interface MainGiven {
  readonly fields: readonly Field[];
  readonly typed: Typed;
  readonly set: (path: string, value: string) => void;
  readonly wrong: { readonly path: string; readonly error: string } | null;
  readonly forms: SettingsForms;
  readonly children: ComponentChildren;
}

function MainSettings({ fields, typed, set, wrong, forms, children }: MainGiven) {
  const shown = mainPaths.flatMap((path) => fields.filter((field) => field.path === path));
  const aboutPolicy = (name: string): string => {
    const { description = '', worlds = '' } = forms.policies.find((one) => one.name === name) ?? {};
    return worlds === '' || worlds === 'simulations and crawls' ? description : `${description} (${worlds})`;
  };
  return (
    <div class="settings">
      {shown.map((field) => (
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
      <h2 id="same">The same from the command line</h2>
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

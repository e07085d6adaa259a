import { useEffect, useMemo, useState } from 'preact/hooks';
import type { NewRun, SettingsForms } from '../../../service/dashboard/api.ts';
import type { CurveColumns } from '../../../watch/contract.ts';
import * as client from '../../client.ts';
import { fieldsOf, type Field } from '../../form/fields.ts';
import { Setting } from '../../form/setting.tsx';
import { useCheck } from '../../form/use-check.ts';
import { fieldNamed, settingsOf, type Typed } from '../../form/values.ts';
import { Copyable } from '../../parts/copy.tsx';
import { Problem } from '../../parts/words.tsx';
import { runAddress } from '../../routes.ts';
import type { RecordedPolicy } from '../../run/policy-files.ts';

/** What one most wants to try from somewhere within a run. */
const paths = [
  'policy', 'robots', 'superstepLimit', 'politenessMs', 'network.preset', 'network.latencyMs', 'maxPages',
];

const atField: Field = {
  path: 'at', title: 'Superstep', description: "the first one that is the fork's own", unit: '', kind: 'number',
  choices: [], standard: '', bounds: '', group: '',
};

interface Given {
  readonly id: string;
  readonly curves: CurveColumns;
  /** Files of its policies: those are code that its record names. */
  readonly policies: readonly RecordedPolicy[];
}

/** Goes on from a superstep of the run under other settings, as a new run. */
export function Fork(props: Given) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="fork" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Fork: try something else from a superstep of this run</summary>
      {isOpen && <Form {...props} />}
    </details>
  );
}

function Form({ id, curves, policies }: Given) {
  const [forms, setForms] = useState<SettingsForms | null>(null);
  const [problem, setProblem] = useState('');
  const [typed, setTyped] = useState<Typed>({ at: String(early(curves)) });
  const [isTrusted, setTrusted] = useState(false);
  const [isStarting, setStarting] = useState(false);
  useEffect(() => {
    client.settings().then(setForms, (error: unknown) => setProblem((error as Error).message));
  }, []);
  const fields = useMemo(() => forms === null ? [] : forkFields(forms), [forms]);
  const at = Number(typed['at']);
  const run: NewRun | null = forms === null || !Number.isInteger(at) || at < 0 ? null
    : { kind: 'fork', run: id, at, settings: settingsOf(fields, typed), ...(isTrusted && { trust: true }) };
  const [checked, refuse] = useCheck(run);
  const set = (path: string, value: string): void => setTyped((values) => ({ ...values, [path]: value }));
  const wrongField = fieldNamed(checked.field, ['at', ...fields.map(({ path }) => path)]);
  const errorOf = (path: string): string => {
    if (path === 'at' && run === null && forms !== null) return 'a superstep is a number from 0 on';
    return wrongField === path ? checked.error : '';
  };
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (run === null) return;
    setStarting(true);
    try {
      location.hash = runAddress((await client.start(run)).id);
    } catch (error) {
      refuse(error as client.Refused);
      setStarting(false);
    }
  };
  if (problem !== '') return <Problem text={problem} />;
  return (
    <form onSubmit={(event) => void start(event)} noValidate>
      <p class="note">
        The fork is a run of its own: the same up to this superstep, and other settings from there. A new policy knows
        what it would know if it had watched. Settings left empty stay as they are; processors and seed cannot change.
      </p>
      <div class="settings">
        {[atField, ...fields].map((field) => (
          <Setting
            key={field.path} field={field} value={typed[field.path] ?? ''} set={set} error={errorOf(field.path)}
          />
        ))}
      </div>
      {policies.length > 0 && <Trust policies={policies} isTrusted={isTrusted} set={setTrusted} />}
      {checked.run !== null && <Copyable text={checked.run.command} what="command of the fork" />}
      {checked.error !== '' && wrongField === undefined && <Problem text={checked.error} />}
      <button type="submit" class="main" disabled={isStarting || run === null}>
        {isStarting ? 'Starting …' : 'Start the fork'}
      </button>
    </form>
  );
}

interface Asked {
  readonly policies: readonly RecordedPolicy[];
  readonly isTrusted: boolean;
  readonly set: (isTrusted: boolean) => void;
}

/** Asks whether the policies of a record may run. */
function Trust({ policies, isTrusted, set }: Asked) {
  return (
    <div class="trust">
      <label>
        <input type="checkbox" checked={isTrusted} onChange={(event) => set(event.currentTarget.checked)} />
        {' '}Run the policy files that the record of this run names. They are code, with all your rights.
      </label>
      <ul>
        {policies.map(({ file, sha256 }) => (
          <li key={file}><code>{file}</code>, SHA-256 <code>{sha256}</code></li>
        ))}
      </ul>
    </div>
  );
}

/** The superstep with a tenth of the pages: early enough for another order to matter. */
function early({ superstep, pages }: CurveColumns): number {
  const tenth = (pages.at(-1) ?? 0) / 10;
  return superstep[pages.findIndex((count) => count >= tenth)] ?? 0;
}

/** What is not typed stays as it is, whatever the default of a new run. */
function forkFields(forms: SettingsForms): Field[] {
  return fieldsOf(forms.simulation).filter(({ path }) => paths.includes(path))
    .map((field) => ({ ...field, standard: field.kind === 'choice' ? '' : 'as it is', unset: 'as it is' }));
}

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkText, didYouMean, InputError, shortly } from '../../base/index.ts';
import { checkedYaml, glancedYaml, readYaml, refuse, type CheckedYaml } from '../../base/yaml/index.ts';
import { policyFilesIn, shippedPolicies, type PolicyDefinition, type PolicyRegistry } from '../../core/policy/index.ts';
import { currentName, keyMeant, settingMeant, settingNamed, type ExperimentInput } from '../../core/settings/index.ts';
import { axisNamesOf, studySchema, type StudyInput } from './schema.ts';

const what = 'a study file';

/** A study as in its file. */
export interface Study {
  readonly title: string | undefined;
  /** Name or path, as in the file. */
  readonly graph: string;
  readonly scores: string | undefined;
  /** A finished crawl that the network is fitted to. */
  readonly network: string | undefined;
  /** The settings of all runs, as written: a preset must not be hidden by the defaults that it replaces. */
  readonly base: ExperimentInput;
  /** The file's order is also the order of the grid: the last axis varies fastest. */
  readonly axes: readonly Axis[];
  readonly sample: StudyInput['sample'];
  /** The policies that its runs can choose from. @internal */
  readonly policies: PolicyRegistry;
}

export interface Axis {
  /** Dotted path into the Experiment. */
  readonly name: string;
  readonly values: readonly unknown[];
}

/** Studies that are part of the package, by name. */
const shipped: readonly string[] = ['pending-keys', 'policies', 'searchers', 'tiny'];

/**
 * Reads a study file, or the study of that name from the package (which takes precedence; write `./name` for a file).
 * Cost: at most 256 KiB are read.
 *
 * @param nameOrPath - name of a shipped study, or path of a file.
 * @param load - loads policies from the files that the study names, which are code; without it, files are not allowed.
 * @returns the study, checked; `runStudy` runs it.
 * @throws InputError naming file, line, column and what is allowed.
 */
export async function readStudy(
  nameOrPath: string,
  load: (files: readonly string[]) => Promise<readonly PolicyDefinition[]> = () => Promise.resolve([]),
): Promise<Study> {
  checkText('the study', nameOrPath);
  const path = shipped.includes(nameOrPath) ? shippedPath(nameOrPath) : nameOrPath;
  const text = await readYaml(path, { what }).catch((error: unknown) => {
    const question = didYouMean(nameOrPath, shipped);
    throw error instanceof InputError && question !== '' && !existsSync(path)
      ? new InputError(`${error.message}${question}`) : error;
  });
  return studyOf(text, path, shippedPolicies.with(await load(filesNamed(glancedYaml(text)))));
}

/**
 * The study, comparing more policies.
 *
 * @param names - names of policies, or the files that they were loaded from; those that it compares anyway are skipped.
 * @param loaded - the policies of these files.
 * @throws InputError if it compares no policies, or there is no policy of that name.
 */
export function withPolicies(study: Study, names: readonly string[], loaded: readonly PolicyDefinition[]): Study {
  const policies = study.policies.with(loaded);
  const added = names.map((name) => {
    const policy = policies.factsOf(name);
    if (policy !== undefined) return policy.name;
    throw new InputError(`${name}: must be one of ${policies.names.join(', ')}${didYouMean(name, policies.names)}`);
  });
  if (!study.axes.some(({ name }) => name === 'policy'))
    throw new InputError('the study compares no policies, since its axes have no policy; add them to its file');
  return {
    ...study, policies,
    axes: study.axes.map((axis) =>
      (axis.name === 'policy' ? { ...axis, values: [...new Set([...axis.values, ...added])] } : axis)),
  };
}

/** The studies that are part of the package, as texts. */
export async function shippedStudies(): Promise<{ readonly name: string; readonly yaml: string }[]> {
  return Promise.all(shipped.map(async (name) => ({ name, yaml: await readYaml(shippedPath(name), { what }) })));
}

/** Two folders up is the package, from src/questions/study/ as from dist/questions/study/. */
function shippedPath(name: string): string {
  return fileURLToPath(new URL(`../../../datasets/studies/${name}.yaml`, import.meta.url));
}

/** Files of policies that a study names, if it is a study at all. */
function filesNamed(whole: unknown): string[] {
  const at = (...path: string[]): unknown => valueAt(whole, path);
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  return policyFilesIn(
    [at('experiment', 'policy'), ...list(at('axes', 'policy'))],
    [at('experiment', 'policyOptions', 'weights'), ...list(at('axes', 'policyOptions.weights'))],
  );
}

/** A study from the text of its file; `path` is for messages. Errors   as readStudy. */
export function studyOf(text: string, path: string, policies = shippedPolicies): Study {
  const names = axisNamesOf(policies.settings);
  return checked(checkedYaml(text, path, {
    schema: studySchema(policies.settings), what,
    nameOf: (key, at) => {
      if (at.length !== 1) return key;
      return at[0] === 'axes' ? settingNamed(key, names) ?? key : at[0] === 'experiment' ? currentName(key) : key;
    },
    explain: (key, at) => {
      if (at[0] === 'experiment') return keyMeant(key, at.slice(1), names);
      const like = at[0] === 'axes' ? settingMeant(key, names, at.slice(1)) : undefined;
      return like && `did you mean ${like}?`;
    },
  }), policies);
}

/** What a schema cannot express: no field is both in the base and on an axis, and no axis repeats a value. */
function checked(
  { value: input, placeOf, placeOfKey }: CheckedYaml<ReturnType<typeof studySchema>>, policies: PolicyRegistry,
): Study {
  const faults: string[] = [];
  const axes = Object.entries(input.axes).map(([name, values]): Axis => ({
    name, values: name === 'policy' ? values!.map((value) => policies.factsOf(value)?.name) : (values as unknown[]),
  }));
  for (const { name, values } of axes) {
    const path = ['experiment', ...name.split('.')];
    if (valueAt(input, path) !== undefined) {
      const [axis, base] = [placeOfKey(['axes'], name), placeOf(path)];
      faults.push(`${axis}: ${name} is an axis, and the base experiment has it too (${base}); leave one out`);
    }
    const texts = new Set<string>();
    for (const [i, value] of values.entries()) {
      const text = JSON.stringify(value);
      if (texts.has(text))
        faults.push(`${placeOf(['axes', name, i])}: axes.${name}: has ${shortly(value)} twice`);
      texts.add(text);
    }
  }
  // A fit says what a preset says.
  if (input.network !== undefined)
    for (const path of [['experiment', 'network', 'preset'], ['axes', 'network.preset']])
      if (valueAt(input, path) !== undefined)
        faults.push(`${placeOf(path)}: ${path.join('.')}: the network is fitted to ${input.network}; leave one out`);
  refuse(faults);
  const { title, graph, scores, network, experiment, sample } = input;
  return {
    title, graph, scores, network, policies, base: experiment ?? {}, axes,
    sample: sample && { runs: sample.runs, seed: sample.seed ?? 1 },
  };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      inner !== null && typeof inner === 'object' && Object.hasOwn(inner, step)
        ? (inner as Record<string, unknown>)[step]
        : undefined,
    value,
  );
}

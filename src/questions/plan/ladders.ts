import { didYouMean, InputError } from '../../base/index.ts';
import type { PolicyRegistry } from '../../core/policy/index.ts';
import { exchanges, partitionNames, type ExperimentInput } from '../../core/settings/index.ts';
import type { SetUp } from './trials/trials.ts';

/** The settings that a plan can vary. */
export const variable = [
  'policy', 'processors', 'robots', 'superstepLimit', 'pending', 'partition', 'exchange',
] as const satisfies readonly (keyof SetUp)[];
export type Variable = (typeof variable)[number];

/** The values that each setting may have. A search starts with the first; processors and robots ascend. */
export type Ladders = { readonly [Name in Variable]: readonly SetUp[Name][] };

export interface LaddersInput {
  readonly machines: number;
  readonly robots: number;
  /** The settings that vary; by default all that are not set. */
  readonly vary?: readonly Variable[] | undefined;
  /** Values for some of them, in place of those that a plan would try. */
  readonly values?: Partial<Ladders> | undefined;
  /** Settings that the user has set, and which therefore do not vary. */
  readonly base: ExperimentInput;
  readonly policies: PolicyRegistry;
  /** Pages within reach. */
  readonly pages: number;
}

export const defaultMachines = 16;
export const defaultRobots = 256;

/** Fixed values to compare the rules with; both grow with the largest crawls people simulate. */
const superstepLimits = [undefined, 100, 1000, 10_000];
const pendings = [undefined, 400, 4000, 40_000];

/** Without its own order or without its own sense in a plan. */
const leftOut: ReadonlySet<string> = new Set(['weighted', 'scores', 'spawc']);

/** @throws InputError for a setting that a plan cannot vary, or that is both set and to be varied. */
export function laddersOf(
  { machines, robots, vary, values = {}, base, policies, pages }: LaddersInput,
): Ladders {
  const isSet = (name: Variable): boolean => name !== 'processors' && name !== 'robots' && base[name] !== undefined;
  for (const name of vary ?? []) {
    if (isSet(name)) throw new InputError(`vary: ${name} is set, so it cannot vary; leave one out`, { field: 'vary' });
  }
  const { superstepLimit } = base;
  if (superstepLimit === 'auto') {
    throw new InputError('superstep-limit auto: a plan compares values itself; leave it out', {
      field: 'superstepLimit',
    });
  }
  const varies = (name: Variable): boolean => (vary === undefined ? !isSet(name) : vary.includes(name));
  const among = <T>(name: Variable, standard: T, all: readonly T[]): readonly T[] =>
    (values[name] as readonly T[] | undefined) ??
    [standard, ...(varies(name) ? all.filter((value) => value !== standard) : [])];
  return {
    policy: among('policy', base.policy ?? 'opic', contenders(policies, pages)),
    processors: values.processors ?? (varies('processors') ? powersTo(machines) : [machines]),
    robots: values.robots ?? (varies('robots') ? powersTo(robots) : [robots]),
    superstepLimit: among('superstepLimit', superstepLimit, superstepLimits),
    pending: among('pending', base.pending, pendings),
    // lpt knows all pages beforehand.
    partition: among('partition', base.partition ?? 'host-hash', partitionNames.filter((name) => name !== 'lpt')),
    exchange: among('exchange', base.exchange ?? 'bulk', exchanges),
  };
}

/** Policies that a crawl can have: none that knows what it will find, or needs what a plan does not have. */
function contenders(policies: PolicyRegistry, pages: number): string[] {
  const slow = slowPolicies(policies, pages);
  return policies.settings.policies
    .filter(({ name, isOracle, needs }) => !isOracle && !needs.includes('scores') && !leftOut.has(name))
    .map(({ name }) => name)
    .filter((name) => !slow.includes(name));
}

/** Policies that rank all known pages again and again: on graphs of this size one of their runs takes minutes. */
const mostRankedPages = 500_000;

/** Policies that a plan for so many pages leaves out, because simulating them takes too long. */
export function slowPolicies({ settings }: PolicyRegistry, pages: number): string[] {
  if (pages <= mostRankedPages) return [];
  return settings.policies.filter(({ options }) => 'rankEveryPages' in options).map(({ name }) => name);
}

/** 1, 2, 4 ... and `most` itself. */
function powersTo(most: number): number[] {
  const powers = Array.from({ length: Math.ceil(Math.log2(most)) }, (_, i) => 2 ** i);
  return [...powers, most];
}

/** @throws InputError for names of other settings, with the nearest. */
export function variablesIn(text: string): Variable[] {
  return text.split(',').map((part) => {
    const typed = part.trim();
    const name = typed.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const setting = variable.find((candidate) => candidate === name);
    if (setting !== undefined) return setting;
    const names = variable.map(kebab);
    throw new InputError(
      `vary ${JSON.stringify(typed.slice(0, 60))}: must be among ${names.join(', ')}${didYouMean(kebab(name), names)}`,
      { field: 'vary' },
    );
  });
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

import * as z from 'zod';
import {
  InputError, parseBandwidth, parseCount, parseDuration,
} from '../../base/index.ts';
import { checkedYaml, readYaml } from '../../base/yaml/index.ts';
import { shippedPolicies, type PolicyRegistry } from '../../core/policy/index.ts';
import type { ExperimentInput, Settings } from '../../core/settings/index.ts';
import { machineHours, parsePrices } from './cost.ts';
import { parseGoal } from './goal.ts';
import { defaultMachines, defaultRobots, variable, variablesIn } from './ladders.ts';
import type { PlanRequest } from './make-plan.ts';

/** What a plan is asked for, as flags and files write it. */
export interface WrittenRequest {
  readonly goal?: string | readonly string[] | undefined;
  readonly within?: string | number | undefined;
  readonly machines?: string | number | undefined;
  readonly robots?: string | number | undefined;
  readonly bandwidth?: string | number | undefined;
  readonly delay?: string | number | undefined;
  readonly cost?: string | undefined;
  /** Names of settings, or the values of each. */
  readonly vary?: string | readonly string[] | Readonly<Record<string, readonly unknown[]>> | undefined;
}

const mostMachines = 4096;
const mostRobots = 65_536;
const longestSeconds = 1e9;

/**
 * Reads a request.
 * @param experiment the settings that all set-ups share.
 * @throws InputError naming the setting and what is allowed.
 */
export function requestOf(request: WrittenRequest, experiment: ExperimentInput = {}): PlanRequest {
  const { goal, within, machines, robots, bandwidth, delay, cost, vary } = request;
  const goals = (goal === undefined ? [] : [goal].flat()).map(parseGoal);
  if (goals.length === 0 && within === undefined) {
    throw new InputError("name a goal (--goal '80% of rank'), a time (--within 10h: the most rank in it) or both", {
      field: 'goal',
    });
  }
  const withinSeconds = within === undefined ? Infinity : read('within', () => parseDuration(within, 's')) / 1000;
  if (withinSeconds < 1 || (within !== undefined && withinSeconds > longestSeconds))
    throw new InputError(`within ${String(within)}: must be from 1 s to ${longestSeconds} s`, { field: 'within' });
  const { politenessMs, network } = settingsFrom(bandwidth, delay);
  return {
    goals, withinSeconds, machines: whole('machines', machines ?? defaultMachines, mostMachines),
    robots: whole('robots', robots ?? defaultRobots, mostRobots),
    prices: cost === undefined ? machineHours : parsePrices(cost), ...variedIn(vary),
    base: {
      ...experiment, ...(politenessMs !== undefined && { politenessMs }),
      ...(network !== undefined && { network: { ...experiment.network, ...network } }),
    },
  };
}

function settingsFrom(
  bandwidth: WrittenRequest['bandwidth'], delay: WrittenRequest['delay'],
): Pick<ExperimentInput, 'politenessMs' | 'network'> {
  return {
    politenessMs: delay === undefined ? undefined : read('delay', () => parseDuration(delay, 's')),
    network: bandwidth === undefined
      ? undefined : { processorBandwidthBytesPerSecond: read('bandwidth', () => parseBandwidth(bandwidth)) },
  };
}

function variedIn(vary: WrittenRequest['vary']): Pick<PlanRequest, 'vary' | 'values'> {
  if (vary === undefined) return {};
  if (typeof vary === 'string') return { vary: variablesIn(vary) };
  if (isList(vary)) return { vary: variablesIn(vary.join(',')) };
  const entries = Object.entries(vary).map(([typed, values]) => [variablesIn(typed)[0], values] as const);
  for (const [name, values] of entries)
    if (values.length === 0) throw new InputError(`vary.${name}: needs at least one value`, { field: 'vary' });
  const ascending = (values: readonly unknown[]): unknown[] => [...values].sort((a, b) => Number(a) - Number(b));
  const values = Object.fromEntries(entries.map(([name, list]) =>
    [name, name === 'processors' || name === 'robots' ? ascending(list) : list]));
  return { vary: entries.map(([name]) => name), values: values };
}

function isList(vary: Exclude<WrittenRequest['vary'], string | undefined>): vary is readonly string[] {
  return Array.isArray(vary);
}

function whole(name: string, value: string | number, most: number): number {
  const count = read(name, () => parseCount(value));
  if (count < 1 || count > most) throw new InputError(`${name} ${value}: must be from 1 to ${most}`, { field: name });
  return count;
}

function read(name: string, value: () => number): number {
  try {
    return value();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${name}: ${error.message}`, { field: name });
  }
}

const amount = z.union([z.string(), z.number()]);

/** What a plan is asked for besides its goals, as flags, files and forms name it. */
export const planFlagsSchema = z.strictObject({
  within: amount.optional().meta({ title: 'Time at most', description: 'for the crawl, such as 10h' }),
  machines: amount.optional().meta({
    title: 'Machines at most', description: `one processor each; ${defaultMachines} if not set`,
  }),
  robots: amount.optional().meta({
    title: 'Robots per machine at most', description: `downloads at once; ${defaultRobots} if not set`,
  }),
  bandwidth: amount.optional().meta({
    title: 'Bandwidth per machine', description: 'such as 100Mbit (if not set) or 12.5MB/s',
  }),
  delay: amount.optional().meta({
    title: 'Politeness delay', description: 'between downloads from the same host; 1s if not set',
  }),
  cost: z.string().optional().meta({
    title: 'Prices', description: 'such as machine=0.40/h,traffic=0.05/GB; without prices, machine-hours count',
  }),
  vary: z.string().optional().meta({
    title: 'Settings that vary',
    description: `with commas, of ${variable.join(', ')}; all that are not set, if left empty`,
  }),
});

/** The content of a plan file. */
const planFileSchema = ({ experiment }: Settings) => z.strictObject({
  graph: z.string().min(1).describe('name of the catalogue, or path of a graph'),
  goal: z.union([z.string(), z.array(z.string()).min(1)]).optional().describe('what to reach: 80% of rank'),
  ...planFlagsSchema.shape,
  vary: z.union([
    z.array(z.enum(variable)).min(1), z.partialRecord(z.enum(variable), z.array(z.unknown())),
  ]).optional().describe('settings that vary, or the values of each'),
  experiment: experiment.prefault({}).describe('settings that all set-ups share: network, seed pages'),
});

/**
 * Reads a plan file: YAML with the names of the command's flags.
 * @throws InputError naming file, line, column and what is allowed.
 */
export async function readPlanFile(
  path: string, policies: PolicyRegistry = shippedPolicies,
): Promise<{ readonly graph: string; readonly written: WrittenRequest; readonly experiment: ExperimentInput }> {
  const what = 'a plan file';
  const text = await readYaml(path, { what });
  const { value } = checkedYaml(text, path, { schema: planFileSchema(policies.settings), what });
  const { graph, experiment = {}, ...request } = value;
  return { graph, experiment, written: request };
}

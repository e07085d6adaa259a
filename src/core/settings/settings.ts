import type * as z from 'zod';
import { InputError, wrongArgument } from '../../base/index.ts';
import { faultsOf, fieldsOf, type Explain } from '../../base/schema/index.ts';
import { crawlSettingsSchema } from './crawl-settings.ts';
import { withCurrentNames } from './names/earlier-names.ts';
import { keyMeant } from './names/meant.ts';
import {
  experimentSchema, liveCrawlSchema, simulatedOnly, type Experiment, type ExperimentInput, type ExperimentSchema,
  type LiveCrawlInput, type LiveCrawlSchema, type LiveCrawlSettings,
} from './experiment.ts';
import {
  checkUserPolicies, namedChoice, policiesUsed, policyOptionsUsed, type PolicyChoice, type PolicyFacts,
  type policyOptionsSchema,
} from './policy-settings.ts';

/** Every setting of a run that can choose from `policies`: schemas, and the checks that a schema cannot make. */
export class Settings {
  readonly policies: readonly PolicyFacts[];
  readonly experiment: ExperimentSchema;
  /** Settings that live crawls share with simulations. */
  readonly liveCrawl: LiveCrawlSchema;
  /** Settings of single policies. */
  readonly policyOptions: ReturnType<typeof policyOptionsSchema>;

  constructor(policies: readonly PolicyFacts[]) {
    const crawl = crawlSettingsSchema(policies);
    this.policies = policies;
    this.experiment = experimentSchema(crawl);
    this.liveCrawl = liveCrawlSchema(crawl);
    this.policyOptions = crawl.shape.policyOptions.unwrap();
  }

  /** The policy of a run, and those that it is composed of. */
  policiesUsed(choice: PolicyChoice): PolicyFacts[] {
    return policiesUsed(this.policies, choice);
  }

  /** Settings of single policies that these policies read. */
  policyOptionsUsed(choice: PolicyChoice): string[] {
    return policyOptionsUsed(this.policies, choice);
  }

  /** Checks an experiment and fills in its defaults. @throws InputError that names fields and their allowed values. */
  parseExperiment(input: ExperimentInput): Experiment {
    checkUserPolicies(this.policies, input);
    return this.#named(checkedSettings('experiment', this.experiment, input));
  }

  /** The same for the settings that live crawls share with simulations. @param explain as of `checkedSettings`. */
  parseLiveCrawl(input: LiveCrawlInput, explain?: Explain): LiveCrawlSettings {
    checkUserPolicies(this.policies, input);
    return this.#named(checkedSettings('experiment', this.liveCrawl, input, (key, at) =>
      explain?.(key, at) ?? simulated(key, at)));
  }

  #named<C extends PolicyChoice>({ userPolicies, ...rest }: C) {
    return { ...rest, ...namedChoice(this.policies, { ...rest, userPolicies }) };
  }
}

/**
 * Checks settings that a program passes, by their present names.
 *
 * @param whole - what they are together, in messages.
 * @param explain - as of `faultsOf`, before what `keyMeant` knows.
 * @throws InputError that names each field, its value and the allowed values, and the name that an unknown one
 * resembles.
 */
export function checkedSettings<S extends z.ZodObject>(
  whole: 'experiment' | 'live', schema: S, input: unknown, explain?: Explain,
): z.output<S> {
  if (input instanceof Promise) throw wrongArgument(whole, 'an object of settings', input);
  const result = schema.safeParse(withCurrentNames(input), { reportInput: true });
  if (result.success) return result.data;
  const { issues } = result.error;
  const paths = fieldsOf(schema).map(([path]) => path);
  const faults = issues.flatMap((issue) =>
    faultsOf(issue, schema, (key, at) => explain?.(key, at) ?? keyMeant(key, at, paths)));
  const field = fieldOf(issues[0]);
  throw new InputError(faults.map(({ path, text }) => `${[whole, ...path].join('.')}: ${text}`).join('; '), {
    field: whole === 'live' ? `live.${field ?? ''}` : field,
  });
}

/** That a setting is one of simulations alone, if it is. */
function simulated(key: string, within: readonly PropertyKey[]): string | undefined {
  return simulatedOnly.includes([...within, key].join('.')) ? 'it is a setting of simulations' : undefined;
}

/** Dotted name of the setting that an issue concerns, even an unknown one; undefined if it concerns the whole. */
export function fieldOf(issue: z.core.$ZodIssue): string | undefined {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return [...issue.path, ...unknown].join('.') || undefined;
}

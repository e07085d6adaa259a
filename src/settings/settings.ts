import * as z from 'zod';
import { InputError } from '../base/index.ts';
import { crawlSettingsSchema } from './crawl-settings.ts';
import { withCurrentNames } from './names/earlier-names.ts';
import {
  experimentSchema, liveCrawlSchema, type Experiment, type ExperimentInput, type ExperimentSchema, type LiveCrawlInput,
  type LiveCrawlSchema, type LiveCrawlSettings,
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

  /**
   * Checks an experiment and fills in its defaults.
   * @throws InputError naming each field, its value and what is allowed.
   */
  parseExperiment(input: ExperimentInput): Experiment {
    checkUserPolicies(this.policies, input);
    return this.#named(parsed(this.experiment, input));
  }

  /** The same for the settings that live crawls share with simulations. */
  parseLiveCrawl(input: LiveCrawlInput): LiveCrawlSettings {
    checkUserPolicies(this.policies, input);
    return this.#named(parsed(this.liveCrawl, input));
  }

  #named<C extends PolicyChoice>({ userPolicies, ...rest }: C) {
    return { ...rest, ...namedChoice(this.policies, { ...rest, userPolicies }) };
  }
}

function parsed<S extends z.ZodType>(schema: S, input: z.input<S>): z.output<S> {
  const result = schema.safeParse(withCurrentNames(input), { reportInput: true });
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => {
    const field = ['experiment', ...issue.path].join('.');
    const value = issue.input === undefined ? '' : ` (given: ${JSON.stringify(issue.input)})`;
    return `${field}: ${issue.message}${value}`;
  });
  const [first] = result.error.issues;
  throw new InputError(problems.join('; ') || z.prettifyError(result.error), { field: fieldOf(first) });
}

/** Dotted name of the setting that an issue concerns, even an unknown one; undefined if it concerns the whole. */
export function fieldOf(issue: z.core.$ZodIssue): string | undefined {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return [...issue.path, ...unknown].join('.') || undefined;
}

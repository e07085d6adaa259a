import * as z from 'zod';
import { sha256 } from './ranges.ts';
import { InputError } from '../../base/index.ts';

/**
 * What settings need to know about policies: plain data, so that a browser can have it too. The registry of `policy/`
 * makes it; the default is the only policy named here.
 */
export interface PolicyFacts {
  readonly name: string;
  /** Which page is next, in a few words. */
  readonly title: string;
  /** The publication of the order. */
  readonly source?: string | undefined;
  /** The policy's settings by name; policies that share a setting share its name and its whole definition. */
  readonly options: Readonly<Record<string, PolicyOption>>;
  readonly needs: readonly PolicyNeed[];
  /** It knows before the crawl what a crawler cannot: a yardstick, not a contender. */
  readonly isOracle: boolean;
  /** Absent in policies that come with Orbweaver, and in those passed as objects. */
  readonly origin?: PolicyOrigin | undefined;
  readonly isShipped: boolean;
}

/** A policy's file, as the user named it, and the SHA-256 of its bytes. */
export interface PolicyOrigin {
  readonly file: string;
  readonly sha256: string;
}

/**
 * The inputs of an order besides the order of discovery: amounts that links pass on, links between pages of its
 * processor, hosts, random draws by the seed of the run, the true PageRank of every page, or scores from a file.
 */
export const policyNeeds = ['amounts', 'links', 'hosts', 'draws', 'ranks', 'scores'] as const;
export type PolicyNeed = (typeof policyNeeds)[number];

/** A setting of single policies, in the terms of JSON Schema. */
export type PolicyOption = NumberOption | ChoiceOption | WeightsOption;

export interface NumberOption {
  readonly type: 'number' | 'integer';
  readonly minimum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly default: number;
  readonly description: string;
}

export interface ChoiceOption {
  readonly enum: readonly string[];
  readonly default: string;
  readonly description: string;
}

/** A positive number for each of the policies that this one is composed of; none by default. */
export interface WeightsOption {
  readonly type: 'weights';
  readonly description: string;
}

/** The value that a setting has in a run. */
export type OptionValue = string | number | Readonly<Record<string, number | undefined>> | undefined;

const defaultPolicy = 'opic';
const maxWeight = 1e6;

export function isWeights(option: PolicyOption): option is WeightsOption {
  return 'type' in option && option.type === 'weights';
}

/** Names that settings may use for a policy: its name, or the file it was loaded from. */
function spellings({ name, origin }: PolicyFacts): string[] {
  return origin === undefined || origin.file === name ? [name] : [name, origin.file];
}

export function policyNameSchema(policies: readonly PolicyFacts[]) {
  return z.enum(policies.flatMap(spellings)).default(defaultPolicy).describe('policy that orders the frontier');
}

/** Names of the policies that can have weights. */
export function weighable(policies: readonly PolicyFacts[]): string[] {
  return policies.filter(({ options }) => !Object.values(options).some(isWeights)).flatMap(spellings);
}

function optionSchema(option: PolicyOption, policies: readonly PolicyFacts[]): z.ZodType<OptionValue, OptionValue> {
  if (isWeights(option))
    return z.partialRecord(z.enum(weighable(policies)), z.number().positive().max(maxWeight)).optional();
  if ('enum' in option) return z.enum(option.enum).default(option.default);
  let schema = option.type === 'integer' ? z.int() : z.number();
  if (option.minimum !== undefined) schema = schema.min(option.minimum);
  if (option.exclusiveMinimum !== undefined) schema = schema.gt(option.exclusiveMinimum);
  if (option.maximum !== undefined) schema = schema.max(option.maximum);
  return schema.default(option.default);
}

/** Settings of single policies; another policy does not read them. */
export function policyOptionsSchema(policies: readonly PolicyFacts[]) {
  const options = new Map(policies.flatMap((policy) => Object.entries(policy.options)));
  const shape = [...options].map(([name, option]) => {
    const text = `for ${policiesOfOption(policies, name).join(', ')}: ${option.description}`;
    return [name, optionSchema(option, policies).describe(text)] as const;
  });
  return z.strictObject(Object.fromEntries(shape));
}

/** Names of the policies that read a setting. */
export function policiesOfOption(policies: readonly PolicyFacts[], option: string): string[] {
  return policies.filter(({ options }) => option in options).map(({ name }) => name);
}

const description = z.string();
const bound = z.number().optional();

const optionFacts = z.union([
  z.object({
    type: z.enum(['number', 'integer']), minimum: bound, exclusiveMinimum: bound, maximum: bound, default: z.number(),
    description,
  }),
  z.object({ enum: z.array(z.string()), default: z.string(), description }),
  z.object({ type: z.literal('weights'), description }),
]);

/** What a record says about the policies of its run that did not come with Orbweaver. */
const userPolicySchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  source: z.string().optional(),
  options: z.record(z.string(), optionFacts),
  needs: z.array(z.enum(policyNeeds)),
  isOracle: z.boolean(),
  file: z.string().optional(),
  sha256: sha256.optional(),
});
export const userPoliciesSchema = z
  .array(userPolicySchema)
  .optional()
  .describe('user policies of the run: their names, and their files with their SHA-256');

export type UserPolicy = z.output<typeof userPolicySchema>;

/** The part of any settings that chooses the order. */
export interface PolicyChoice {
  readonly policy?: string | undefined;
  readonly policyOptions?: Readonly<Record<string, OptionValue>> | undefined;
  readonly userPolicies?: readonly UserPolicy[] | undefined;
}

/** The policy, and those that it is composed of. */
export function policiesUsed(policies: readonly PolicyFacts[], choice: PolicyChoice): PolicyFacts[] {
  const find = (name: string): PolicyFacts | undefined => policies.find((facts) => spellings(facts).includes(name));
  const policy = find(choice.policy ?? defaultPolicy);
  const parts = Object.entries(policy?.options ?? {})
    .filter(([, option]) => isWeights(option))
    .flatMap(([name]) => Object.keys(choice.policyOptions?.[name] ?? {}));
  return [policy, ...parts.map(find)].filter((facts) => facts !== undefined);
}

/** Settings of single policies that the policy of an experiment reads, and those that it is composed of. */
export function policyOptionsUsed(policies: readonly PolicyFacts[], choice: PolicyChoice): string[] {
  const used = policiesUsed(policies, choice);
  const options = new Set(policies.flatMap((policy) => Object.keys(policy.options)));
  return [...options].filter((option) => used.some((policy) => option in policy.options));
}

interface NamedChoice {
  readonly policy: string;
  readonly policyOptions: Record<string, OptionValue>;
  readonly userPolicies?: UserPolicy[];
}

/** The same choice with policies by their own names, and with what a record says about user policies. */
export function namedChoice(policies: readonly PolicyFacts[], choice: PolicyChoice): NamedChoice {
  const nameOf = new Map(policies.flatMap((facts) => spellings(facts).map((spelling) => [spelling, facts.name])));
  const fullName = (name: string): string => nameOf.get(name) ?? name;
  const used = policiesUsed(policies, choice);
  const policyOptions: Record<string, OptionValue> = {};
  for (const [name, value] of Object.entries(choice.policyOptions ?? {})) {
    policyOptions[name] = typeof value !== 'object' ? value
      : Object.fromEntries(Object.entries(value).map(([key, weight]) => [fullName(key), weight]));
  }
  const userPolicies = used.filter(({ isShipped }) => !isShipped).map(recordOf);
  return {
    policy: fullName(choice.policy ?? defaultPolicy), policyOptions,
    ...(userPolicies.length > 0 && { userPolicies }),
  };
}

/** What a record says about a user policy. */
export function recordOf({ name, title, source, options, needs, isOracle, origin }: PolicyFacts): UserPolicy {
  // A copy of what the user wrote, without anything that the schema does not have.
  return userPolicySchema.parse({ name, title, source, options, needs, isOracle, ...origin });
}

/** The user policies of a record, as settings see policies. */
export function recordedPolicies({ userPolicies = [] }: PolicyChoice): PolicyFacts[] {
  return userPolicies.map(({ file, sha256: checksum, ...facts }) => ({
    ...facts, isShipped: false, origin: file === undefined ? undefined : { file, sha256: checksum ?? '' },
  }));
}

/** From settings as written, which may have any form: the user policies, and where they are used. */
const writtenChoice = z.object({
  policy: z.string().optional(),
  policyOptions: z.record(z.string(), z.unknown()).optional(),
  userPolicies: z.array(z.object({ name: z.string(), file: z.string().optional(), sha256: z.string().optional() })),
});

/** The user policies that settings use, by what a record says about them; none if it says nothing. */
export function userPoliciesNamed(input: unknown): z.output<typeof writtenChoice>['userPolicies'] {
  const { data } = writtenChoice.safeParse(input);
  if (data === undefined) return [];
  const { policy, policyOptions = {}, userPolicies } = data;
  const weights = Object.values(policyOptions).map((value) => (typeof value === 'object' ? value : undefined) ?? {});
  return userPolicies.filter(({ name }) => policy === name || weights.some((weight) => name in weight));
}

/** @throws InputError if settings use a user policy that is not among `policies`, or is a different one there. */
export function checkUserPolicies(policies: readonly PolicyFacts[], input: unknown): void {
  for (const { name, file, sha256: checksum } of userPoliciesNamed(input)) {
    const facts = policies.find((policy) => policy.name === name);
    if (facts !== undefined) {
      if (checksum === undefined || facts.origin?.sha256 === checksum) continue;
      const { file: where, sha256: ours } = facts.origin ?? { file: 'an object', sha256: 'none' };
      throw new InputError(
        `policy ${name}: ${where} is not the policy that the settings name: its SHA-256 is ${ours}, not ${checksum}`,
        { field: 'policy' },
      );
    }
    throw new InputError(
      file === undefined
        ? `policy ${name}: was passed to the run as an object; pass it again, or name its file (--policy ./FILE)`
        : `policy ${name}: is in ${file}${checksum === undefined ? '' : ` (SHA-256 ${checksum})`}, which must be named ` +
          `again (--policy ${file})`,
      { field: 'policy' },
    );
  }
}

import { didYouMean, InputError, noField } from '../../base/index.ts';
import {
  policyNeeds, type ChoiceOption, type NumberOption, type OptionValue, type PolicyFacts, type PolicyNeed,
  type PolicyOption, type PolicyOrigin, type WeightsOption,
} from '../settings/index.ts';
import type { PageOrder, PolicyContext } from './policy.ts';

export type PolicyOptions = Readonly<Record<string, PolicyOption>>;

/** The values that the settings of a policy have in a run, typed by their definitions. */
export type OptionValues<O extends PolicyOptions> = {
  readonly [K in keyof O]: O[K] extends ChoiceOption ? O[K]['enum'][number]
    : O[K] extends NumberOption ? number
      : O[K] extends WeightsOption ? Readonly<Record<string, number | undefined>> | undefined : OptionValue;
};

/** A policy as its author writes it. */
export interface PolicyDefinition<
  N extends string = string, O extends PolicyOptions = PolicyOptions, R extends PageOrder = PageOrder,
> {
  /** The name for `--policy`: lower-case letters, digits and hyphens. */
  readonly name: N;
  /** Which page is next, in a few words, for help and tables. */
  readonly title: string;
  /** The publication of the order, if any. */
  readonly source?: string | undefined;
  /** The policy's settings, in the terms of JSON Schema. Each is a key in files, and may be an axis of studies. */
  readonly options?: O | undefined;
  /** What it depends on besides the order of discovery. */
  readonly needs?: readonly PolicyNeed[] | undefined;
  /** Whether it knows before the crawl what a crawler cannot: a yardstick, not a contender. */
  readonly isOracle?: boolean | undefined;
  /** Makes the order of a processor's pages. */
  make(context: PolicyContext<OptionValues<O>>): R;
  /** The file it was loaded from, set by `loadPolicy`. */
  readonly origin?: PolicyOrigin | undefined;
}

/**
 * Defines a policy: an order of the frontier. Everything that help, checks and records say about the policy follows
 * from this definition.
 *
 * @param definition - the name, needs and functions of the policy.
 * @returns the definition, checked and frozen.
 * @throws InputError whose `field` names the invalid field.
 *
 * @example
 * ```js
 * // my-policy.js: orbweaver simulate docs-web --policy ./my-policy.js
 * import { definePolicy } from 'orbweaver/policy';
 *
 * export default definePolicy({
 *   name: 'few-links-first',
 *   title: 'the page that the fewest pages fetched link to',
 *   needs: ['amounts'],
 *   options: {
 *     patience: { type: 'integer', minimum: 1, default: 100, description: 'links above which all pages are equal' },
 *   },
 *   make({ state, options }) {
 *     const page = state.pages({ links: Uint32Array });
 *     const waiting = (local) => Math.max(0, options.patience - page.links[local]);
 *     return {
 *       key: waiting,
 *       score: waiting,
 *       amounts: { credit: (local, links) => (page.links[local] += links), spread: () => 1 },
 *     };
 *   },
 * });
 * ```
 */
export function definePolicy<const N extends string, const O extends PolicyOptions, R extends PageOrder>(
  definition: PolicyDefinition<N, O, R>,
): PolicyDefinition<N, O, R> {
  checkDefinition(definition);
  return Object.freeze({ ...definition });
}

/** The definition as settings see it. */
export function factsOf(definition: PolicyDefinition, isShipped: boolean): PolicyFacts {
  const { name, title, source, options = {}, needs = [], isOracle = false, origin } = definition;
  return { name, title, source, options, needs, isOracle, origin, isShipped };
}

/** Characters: titles must fit into tables. */
const maxTitleLength = 120;

function checkDefinition(definition: PolicyDefinition): void {
  const { name, title, source, options = {}, needs = [], isOracle, make } = fieldsOf(definition);
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new InputError(
      `policy ${shown(name)}: a name consists of lower-case letters, digits and hyphens, like round-robin`,
      { field: 'name' },
    );
  }
  const refused = (field: string, what: string): InputError => new InputError(`policy ${name}: ${what}`, { field });
  const strange = unknownIn(definition, Object.keys(definitionFields));
  if (strange !== undefined) throw refused(strange.name, strange.fault);
  if (!isLine(title)) throw refused('title', `title must be a line of at most ${maxTitleLength} characters`);
  if (source !== undefined && !isLine(source)) throw refused('source', 'source must be a line of text');
  const strangeNeeds: readonly unknown[] = Array.isArray(needs)
    ? needs.filter((need) => !policyNeeds.some((name) => name === need)) : [needs];
  if (strangeNeeds.length > 0) {
    const question = likeText(strangeNeeds[0], policyNeeds);
    throw refused('needs', `needs must be a list of ${policyNeeds.join(', ')}${question}`);
  }
  if (isOracle !== undefined && typeof isOracle !== 'boolean')
    throw refused('isOracle', 'isOracle must be true or false');
  if (typeof make !== 'function') throw refused('make', 'make must be a function');
  for (const [option, value] of Object.entries(fieldsOf(options))) {
    const fault = optionFault(option, value);
    if (fault !== undefined) throw refused(`options.${option}`, `option ${shown(option)} ${fault}`);
  }
}

/** Fields of a definition, and of its settings by their type. */
const definitionFields = {
  name: true, title: true, source: true, options: true, needs: true, isOracle: true, make: true, origin: true,
} as const satisfies Record<keyof PolicyDefinition, true>;
const optionFields = {
  number: ['type', 'minimum', 'exclusiveMinimum', 'maximum', 'default', 'description'],
  choice: ['type', 'enum', 'default', 'description'], weights: ['type', 'description'],
} as const;
const optionTypes = ['number', 'integer', 'weights'];

/** A sentence on the first field of an object that is none of `names`. */
function unknownIn(
  value: unknown, names: readonly string[],
): { readonly name: string; readonly fault: string } | undefined {
  const name = Object.keys(fieldsOf(value)).find((field) => !names.includes(field));
  return name === undefined ? undefined : { name, fault: noField(name, names) };
}

function optionFault(name: string, value: unknown): string | undefined {
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) return 'must be named in camel case, like hostUrls';
  const option = fieldsOf(value);
  const kind = option['type'] === 'weights' ? 'weights' : 'enum' in option ? 'choice' : 'number';
  const strange = unknownIn(value, optionFields[kind]);
  if (strange !== undefined) return `has ${strange.fault}`;
  if (!isLine(option['description'])) return 'needs a description';
  if (option['type'] === 'weights') return undefined;
  if (Array.isArray(option['enum'])) {
    const choices: readonly unknown[] = option['enum'];
    const isUsual = choices.some((choice) => choice === option['default']);
    return isUsual && choices.every((choice) => typeof choice === 'string')
      ? undefined : 'needs strings as choices, and one choice as default';
  }
  if (option['type'] !== 'number' && option['type'] !== 'integer')
    return `must have type number or integer, or an enum of strings${likeText(option['type'], optionTypes)}`;
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, default: usual } = option;
  if (typeof usual !== 'number') return 'needs a number as default';
  if (!(usual >= Number(minimum) && usual > Number(exclusiveMinimum) && usual <= Number(maximum)))
    return 'needs a default within its range';
  return option['type'] === 'integer' && !Number.isInteger(usual) ? 'needs an integer as default' : undefined;
}

/** The question whether one of `names` was meant. */
function likeText(value: unknown, names: readonly string[]): string {
  return typeof value === 'string' ? didYouMean(value, names) : '';
}

/** The fields of whatever a user's file exports. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};
}

function isLine(value: unknown): boolean {
  return typeof value === 'string' && /^\P{Cc}+$/u.test(value) && value.length <= maxTitleLength;
}

/** A value as messages quote it. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : typeof value;
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** Whether two policies define a setting that both have in the same way. */
export function isSameOption(first: PolicyOption, other: PolicyOption): boolean {
  const fields = (option: PolicyOption): string => JSON.stringify(Object.entries(option).sort());
  return fields(first) === fields(other);
}

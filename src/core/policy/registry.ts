import { AssertionError, InputError } from '../../base/index.ts';
import { Settings, type OptionValue, type PolicyFacts } from '../settings/index.ts';
import { factsOf, isSameOption, type PolicyDefinition } from './define-policy.ts';
import { guardedOrder } from './guard.ts';
import { PolicyState, type SavedState } from './policy-state.ts';
import type { PageOrder, Policy, PolicyContext, RunFacts } from './policy.ts';

/** Facts about the run, and all settings of single policies. */
export interface PolicyInput extends RunFacts {
  readonly options: Readonly<Record<string, OptionValue>>;
}

/** The policies that a run can choose from, and the settings that know them. */
export class PolicyRegistry {
  readonly settings: Settings;
  /** Those that did not come with Orbweaver. */
  readonly added: readonly PolicyDefinition[];
  readonly #shipped: readonly PolicyDefinition[];
  readonly #byName: ReadonlyMap<string, PolicyDefinition>;

  /** @throws InputError if two policies share a name, or a setting that they define differently. */
  constructor(shipped: readonly PolicyDefinition[], added: readonly PolicyDefinition[] = []) {
    const all = [...shipped, ...added];
    all.forEach((definition, i) => { checkBeside(definition, all.slice(0, i)); });
    this.#shipped = shipped;
    this.added = added;
    this.#byName = new Map(all.map((definition) => [definition.name, definition]));
    this.settings = new Settings(all.map((definition, i) => factsOf(definition, i < shipped.length)));
  }

  /** These policies and `more`. @throws as the constructor. */
  with(added: readonly PolicyDefinition[] = []): PolicyRegistry {
    return added.length === 0 ? this : new PolicyRegistry(this.#shipped, [...this.added, ...added]);
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** The facts about a policy, by its name or by the file it was loaded from. */
  factsOf(name: unknown): PolicyFacts | undefined {
    return this.settings.policies.find((facts) => facts.name === name || facts.origin?.file === name);
  }

  /**
   * Makes a policy for one processor.
   *
   * @param saved the state that the same policy saved, to resume from.
   * @throws InputError if the policy cannot be made from its settings, or the saved state is another policy's.
   */
  make(name: string, input: PolicyInput, saved?: SavedState): Policy {
    const state = new PolicyState(saved, name);
    const order = this.#order(name, input, state);
    state.close();
    return {
      ...order,
      know: (local, page, host) => {
        state.know(local);
        order.know?.(local, page, host);
      },
      save: () => state.save(),
      stateBytes: () => state.bytes,
    };
  }

  #order(name: string, input: PolicyInput, state: PolicyState): PageOrder {
    const definition = this.#byName.get(name);
    if (definition === undefined) throw new AssertionError(`there is no policy ${name}`);
    const { ranks, scores, options, ...facts } = input;
    const { needs = [] } = definition;
    const context: PolicyContext = {
      ...facts,
      ranks: needs.includes('ranks') ? ranks : undefined,
      scores: needs.includes('scores') ? scores : undefined,
      options: Object.fromEntries(Object.keys(definition.options ?? {}).map((option) => [option, options[option]])),
      state,
      order: (part) => this.#order(part, input, state),
    };
    return this.#shipped.includes(definition) ? definition.make(context) : guardedOrder(definition, context);
  }
}

function checkBeside({ name, options = {}, origin }: PolicyDefinition, others: readonly PolicyDefinition[]): void {
  const subject = `policy ${name}${origin === undefined ? '' : ` of ${origin.file}`}`;
  for (const other of others) {
    if (other.name === name) throw new InputError(`${subject}: the name is in use already; choose another one`);
    for (const [option, value] of Object.entries(other.options ?? {})) {
      if (option in options && !isSameOption(options[option], value))
        throw new InputError(`${subject}: option ${option} is one of policy ${other.name} already; name it differently`);
    }
  }
}

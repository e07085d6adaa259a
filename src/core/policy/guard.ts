import { InputError } from '../../base/index.ts';
import { keyLimit } from '../queue/entry.ts';
import { shown, type PolicyDefinition } from './define-policy.ts';
import type { Amounts, PageOrder, PolicyContext } from './policy.ts';

/**
 * Checks a user policy: an invalid value or an exception becomes one sentence that names policy and page. Its coins are
 * not recounted: only Orbweaver's own policies promise that they are conserved. 4 bytes per page, for the page ids.
 * @throws InputError as the returned order does from then on.
 */
export function guardedOrder(definition: PolicyDefinition, context: PolicyContext): PageOrder {
  const watch = new Watch(definition, context.state.pages({ id: Uint32Array }));
  const order = watch.attempt('make', undefined, () => definition.make(context)) as Partial<PageOrder> | undefined;
  if (typeof order?.key !== 'function' || typeof order.score !== 'function')
    throw new InputError(`policy ${definition.name}: make must return an object with the functions key and score`);
  return watch.ordered(order as PageOrder, context);
}

class Watch {
  readonly #definition: PolicyDefinition;
  readonly #pages: { readonly id: Uint32Array };

  constructor(definition: PolicyDefinition, pages: { readonly id: Uint32Array }) {
    this.#definition = definition;
    this.#pages = pages;
  }

  /** Calls the policy. @param local the page that the call is about, if any. */
  attempt<T>(what: string, local: number | undefined, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new InputError(`${this.#subject(local)}: ${what} failed: ${messageOf(error)}${this.#placeOf(error)}`, {
        cause: error,
      });
    }
  }

  ordered(order: PageOrder, { state }: PolicyContext): PageOrder {
    const { amounts } = order;
    const pages = this.#pages;
    return {
      know: (local, page, host) => {
        pages.id[local] = page;
        this.attempt('know', local, () => order.know?.(local, page, host));
      },
      key: (local) => {
        const key = this.attempt('key', local, () => order.key(local));
        return Number.isInteger(key) && key >= 0 && key < keyLimit
          ? key : this.#refuse(local, 'key', key, `must be an integer from 0 to ${keyLimit - 1}`);
      },
      score: (local) => {
        const score = this.attempt('score', local, () => order.score(local));
        return score >= 0 && score < Infinity
          ? score : this.#refuse(local, 'score', score, 'must be a finite number, at least 0');
      },
      ...(amounts && { amounts: this.#amounts(amounts) }),
      fetched: (local, targets, links) => {
        this.attempt('fetched', local, () => order.fetched?.(local, targets, links));
      },
      failed: (local) => { this.attempt('failed', local, () => order.failed?.(local)); },
      settle: (touch) => {
        this.attempt('settle', undefined, () => order.settle?.((local) => {
          if (!(Number.isInteger(local) && local >= 0 && local < state.known))
            throw new RangeError(`touched page ${shown(local)}, and ${state.known} are known`);
          touch(local);
        }));
      },
    };
  }

  #amounts(amounts: Amounts): Amounts {
    return {
      seed: (local) => { this.attempt('amounts.seed', local, () => amounts.seed?.(local)); },
      credit: (local, amount) => { this.attempt('amounts.credit', local, () => { amounts.credit(local, amount); }); },
      spread: (local, links) => {
        const share = this.attempt('amounts.spread', local, () => amounts.spread(local, links));
        return Number.isFinite(share)
          ? share : this.#refuse(local, 'amounts.spread', share, 'must be a finite number');
      },
    };
  }

  #refuse(local: number, what: string, value: unknown, rule: string): never {
    throw new InputError(`${this.#subject(local)}: ${what} returned ${shown(value)}, but ${rule}`);
  }

  #subject(local: number | undefined): string {
    return `policy ${this.#definition.name}${local === undefined ? '' : `, page ${this.#pages.id[local]}`}`;
  }

  /** The line of the policy's file that threw an error. */
  #placeOf(error: unknown): string {
    const { origin } = this.#definition;
    if (origin === undefined || !(error instanceof Error)) return '';
    const place = new RegExp(`\\?${origin.sha256}:(\\d+:\\d+)`).exec(error.stack ?? '');
    return place === null ? '' : ` (${origin.file}:${place[1]})`;
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
}

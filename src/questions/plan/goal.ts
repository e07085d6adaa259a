import { decimalText, InputError } from '../../base/index.ts';

/** What a crawl may have to gather: PageRank, pages or hosts. */
export const goalKinds = ['rank', 'pages', 'hosts'] as const;
export type GoalKind = (typeof goalKinds)[number];

/** What a plan must reach, as its user wrote it. */
export interface Goal {
  readonly kind: GoalKind;
  /** A share of everything within reach (0 to 1), or a number of pages or hosts. */
  readonly amount: number;
  readonly isShare: boolean;
}

/** A goal on one graph. */
export interface Target {
  readonly kind: GoalKind;
  /** What must be gathered: PageRank, pages, or hosts with a page fetched. */
  readonly amount: number;
}

/** What is within reach of the seed pages. */
export type Reachable = Readonly<Record<GoalKind, number>>;

const grammar =
  "a share or a number, as in '80% of rank', '95% of hosts', '60% of pages', '1.5M pages' or '2000 hosts'";
const suffixes: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9 };

/**
 * Reads a goal.
 * @throws InputError with the grammar for any other text.
 */
export function parseGoal(text: string): Goal {
  const refuse = (why: string): never => {
    throw new InputError(`goal ${JSON.stringify(text.slice(0, 80))}: ${why}`, { field: 'goal' });
  };
  const share = /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*%\s*(?:of\s+(?:the\s+)?)?(rank|pages|hosts)\s*$/i.exec(text);
  if (share !== null) {
    const percent = Number(share[1]);
    if (percent > 100) refuse('is more than 100 % of what there is');
    if (percent === 0) refuse('is met before the crawl starts; name more than 0 %');
    return { kind: share[2].toLowerCase() as GoalKind, amount: percent / 100, isShare: true };
  }
  const plain = text.replaceAll(/(?<=\d),(?=\d{3})/g, '');
  const count = /^\s*(\d{1,12}(?:\.\d{1,9})?)\s*([kMG]?)\s*(pages|hosts)\s*$/.exec(plain);
  if (count === null) return refuse(`must be ${grammar}`);
  const amount = Number(count[1]) * suffixes[count[2]];
  if (!Number.isSafeInteger(amount) || amount < 1) refuse('is not a whole number of at least 1');
  return { kind: count[3] as GoalKind, amount, isShare: false };
}

export function goalInWords({ kind, amount, isShare }: Goal): string {
  if (!isShare) return `${decimalText(amount, 0)} ${kind}`;
  return `${Number((100 * amount).toPrecision(6))} % of the ${kind === 'rank' ? 'rank' : kind}`;
}

/** Rounding: all pages may sum to just below the whole. */
const almostAll = 1 - 1e-12;

/** A goal as amounts of a graph. @throws InputError if the graph does not have so much within reach. */
export function targetOf(goal: Goal, reachable: Reachable, graph: string): Target {
  const { kind, amount, isShare } = goal;
  const whole = reachable[kind];
  if (isShare) return { kind, amount: kind === 'rank' ? almostAll * amount * whole : Math.ceil(amount * whole) };
  if (amount > whole) {
    throw new InputError(
      `goal '${goalInWords(goal)}': ${graph} has ${decimalText(whole, 0)} ${kind} within reach of the ` +
        'seed pages',
      { field: 'goal' },
    );
  }
  return { kind, amount };
}

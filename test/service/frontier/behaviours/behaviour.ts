import type { OneCrawl } from '../at.ts';

/** What a server does, as a name and a check of it in a crawl of its own. */
export interface Behaviour {
  readonly name: string;
  /** Whether the protocol asks for it, or only we promise it. */
  readonly of: 'protocol' | 'ours';
  readonly check: (crawl: OneCrawl) => Promise<void>;
}

export function protocol(name: string, check: Behaviour['check']): Behaviour {
  return { name, of: 'protocol', check };
}

export function own(name: string, check: Behaviour['check']): Behaviour {
  return { name, of: 'ours', check };
}

/** Longer than any delay or rounding between two hand-outs of a queue without a delay of its own. */
export const tickMs = 3000;

import { openGraph } from '../dataset/index.ts';
import type { WebGraph } from '../graph/index.ts';
import { remark } from './output.ts';
import { printable } from './printable.ts';

/** The graph a user names; what of its source is damaged and left out is told on standard error. */
export function namedGraph(name: string): Promise<WebGraph> {
  return openGraph(name, { onFault: (fault) => remark(`warning: ${printable(fault)}`) });
}

import { isArc } from '../contract.ts';
import { KernelClosure } from './closure-kernel.ts';

/**
 * The closure, a row of bits per page with the pages that it reaches. After each arc (s, t), what t reaches is united
 * with the row of s, and the row of s with that of every page that reaches s: `insertBlocks` in `closure-kernel.as.ts`,
 * in blocks of b bits. Pages that s reaches and that reach it become one component with it.
 *
 * Source  SPAWC, Algorithm 1 for components (figure 13), as printed: an arc between pages that reach each other already
 *         costs as much as any other.
 * Cost    O(n^2 / b) per arc, and O(n) per merge; n^2 / 8 bytes.
 */
export class BlockClosure extends KernelClosure {
  addArc(source: number, target: number): void {
    if (isArc(this.pages, source, target)) this.insert(source, target);
  }
}

import { isArc } from '../contract.ts';
import { KernelClosure } from './closure-kernel.ts';

/**
 * The closure, looking only at what an arc (s, t) can change: nothing if s reaches t already. Otherwise the pages that
 * reach s and not t begin to reach what t reaches. They are found a whole block at a time, because the closure is
 * stored twice: by the page that reaches, and by the page that is reached. `insertPruned` in `closure-kernel.as.ts`.
 *
 * Source  SPAWC, Algorithm 1 for components, pruned; section 5c of the review of its text. The second matrix is ours.
 * Cost    O(1) for most arcs; otherwise O(n / 64), and O(n / 128) per page that begins to reach t, and per page that s
 *         begins to reach: O(n^3 / 64) in all, whatever the number of arcs; n^2 / 4 bytes.
 */
export class PrunedClosure extends KernelClosure {
  constructor(pages: number) {
    super(pages, 128);
  }

  addArc(source: number, target: number): void {
    if (!isArc(this.pages, source, target)) return;
    // Most arcs end here, in less time than a call of the kernel takes.
    const block = this.rows[source * this.rowBytes + (target >>> 3)];
    if ((block >>> (target & 7) & 1) === 0) this.insert(source, target);
  }
}

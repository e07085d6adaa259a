import type { CurveColumns } from '../../watch/contract.ts';

export const noCurves: CurveColumns = {
  superstep: [], seconds: [], pages: [], failures: [], bytes: [], rank: [], busy: [], balance: [], pairs: [],
  comparisons: [],
};

/**
 * Curves with the points of `added` that are later than all of `curves`. Points that were sent twice count once: a
 * connection that is opened anew begins with the whole.
 */
export function joined(curves: CurveColumns, added: CurveColumns): CurveColumns {
  const last = curves.superstep.at(-1) ?? -1;
  const first = added.superstep.findIndex((superstep) => superstep > last);
  if (first < 0) return curves;
  // A column without values stays so: no rank is known.
  const column = (name: keyof CurveColumns): number[] => [...curves[name], ...added[name].slice(first)];
  return {
    superstep: column('superstep'), seconds: column('seconds'), pages: column('pages'), failures: column('failures'),
    bytes: column('bytes'), rank: column('rank'), busy: column('busy'), balance: column('balance'),
    pairs: column('pairs'), comparisons: column('comparisons'),
  };
}

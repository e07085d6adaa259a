import { useMemo, useState } from 'preact/hooks';
import type { CurveColumns, RankBound } from '../../../watch/contract.ts';
import { Chart } from '../../charts/chart.tsx';
import { figuresOf, type Against } from '../../charts/figures.ts';

interface Given {
  readonly id: string;
  readonly curves: CurveColumns;
  /** The curves of the run that this one is a fork of. */
  readonly beside: CurveColumns | null;
  readonly bound: RankBound | null;
}

export function Curves({ id, curves, beside, bound }: Given) {
  const [against, setAgainst] = useState<Against>('pages');
  const figures = useMemo(() => figuresOf(curves, against, { beside, bound }), [curves, against, beside, bound]);
  return (
    <section aria-labelledby="curves">
      <div class="section-head">
        <h2 id="curves">Curves</h2>
        {curves.rank.length > 0 && <AgainstChoice against={against} set={setAgainst} />}
      </div>
      <div class="charts">
        {figures.map((figure) => <Chart key={figure.name} figure={figure} id={id} />)}
      </div>
    </section>
  );
}

/** The x axis of the rank gathered. */
export function AgainstChoice({ against, set }: {
  readonly against: Against; readonly set: (against: Against) => void;
}) {
  return (
    <fieldset class="choice">
      <legend>Rank gathered against</legend>
      {(['pages', 'time'] as const).map((axis) => (
        <label key={axis}>
          <input type="radio" name="against" checked={against === axis} onChange={() => set(axis)} /> {axis}
        </label>
      ))}
    </fieldset>
  );
}

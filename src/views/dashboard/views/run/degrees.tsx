import { useMemo } from 'preact/hooks';
import { number } from '../../../report/page/format.ts';
import { Chart } from '../../charts/chart.tsx';
import { degreeFigure, degreeRanges, rangeText } from '../../charts/degrees.ts';
import { Table } from '../../parts/table.tsx';
import { noStatistics, type RunFacts } from '../../run/facts.ts';

interface Given {
  readonly id: string;
  readonly facts: RunFacts;
  readonly isOver: boolean;
}

/** How many pages have how many links to them and from them, as a picture and as a table. */
export function Degrees({ id, facts: { degrees, statistics }, isOver }: Given) {
  const figure = useMemo(() => degrees && degreeFigure(degrees), [degrees]);
  const missing = statistics === null ? noStatistics
    : isOver ? 'the record does not have them' : 'not computed yet';
  return (
    <div class="degrees">
      <h3>Links between the pages fetched</h3>
      {degrees === null || figure === null ? <p class="nothing">absent: {missing}</p> : (
        <>
          <p class="note">
            At superstep {number(degrees.superstep)}, of {number(degrees.pages)} pages. Only links between pages that
            were fetched count.
          </p>
          <div class="charts">
            <Chart figure={figure} id={id} />
            <Table
              label="Table of pages by their number of links" rows={degreeRanges(degrees)} keyOf={({ from }) => from}
              columns={[
                ['Number of links', rangeText, ''],
                ['Pages with this many links to them', ({ inPages }) => number(inPages)],
                ['Pages with this many links from them', ({ outPages }) => number(outPages)],
              ]}
            />
          </div>
        </>
      )}
    </div>
  );
}

import { number, percent } from '../../../report/page/format.ts';
import type { ComputedStructure, CrawlGraph, GraphStructure } from '../../../service/dashboard/graph/api.ts';
import * as client from '../../client.ts';
import { useAnswer } from '../../parts/hooks.ts';
import { Table, type TableColumn } from '../../parts/table.tsx';
import { Problem } from '../../parts/words.tsx';

/** The last superstep that is read: then the run has fetched more. */
const lastOf = ({ supersteps }: CrawlGraph): number => supersteps.at(-1) ?? -1;

const parts: Readonly<Record<string, string>> = {
  core: 'Core: the largest strong component', in: 'In: reaches the core', out: 'Out: reached from the core',
  tubes: 'Tubes: from in to out past the core', tendrils: 'Tendrils: connected to these',
  disconnected: 'Disconnected',
};

/** Components and degrees of the whole graph. */
export function Structure({ id, graph }: { readonly id: string; readonly graph: CrawlGraph }) {
  const { answer: structure, problem } =
    useAnswer(`${id} ${lastOf(graph)}`, () => client.graphStructure(id), true);
  return (
    <section aria-labelledby="structure">
      <h2 id="structure">Components and degrees</h2>
      {structure === null && problem !== '' && <Problem text={problem} />}
      {structure !== null && (
        <>
          <p class="note">
            Of the whole stored graph: {number(structure.pages)} pages, {number(structure.links)} links.
            {structure.computed === null && ` They are not computed here for more than ${number(structure.maxStructureLinks)} links: orbweaver info computes them.`}
          </p>
          {structure.computed !== null && <Tables computed={structure.computed} nodesAre={structure.nodesAre} />}
        </>
      )}
    </section>
  );
}

function Tables({ computed, nodesAre }: Pick<GraphStructure, 'nodesAre'> & { readonly computed: ComputedStructure }) {
  const { strong, weak, bowTie, sizes, degrees } = computed;
  return (
    <div class="structure">
      <div>
        <h3>Bow-tie</h3>
        <Table
          label="Parts of the bow-tie" rows={bowTie} keyOf={({ part }) => part}
          columns={[
            ['Part', ({ part }) => parts[part], ''], ['Pages', ({ pages }) => number(pages)],
            ['Fetched', ({ fetched }) => number(fetched)],
            ['Share fetched', ({ pages, fetched }) => (pages === 0 ? '' : percent(fetched / pages))],
          ]}
        />
      </div>
      <div>
        <h3>Components by size</h3>
        <Ranges
          label="Components by size" of="Pages" heads={['Strong', 'Weak']}
          rows={sizes.map(({ least, most, strong, weak }) => ({ least, most, counts: [strong, weak] }))}
        />
        <p class="note">
          {number(strong.count)} strong components, the largest with {number(strong.largest)} pages;{' '}
          {number(weak.count)} weak ones, the largest with {number(weak.largest)}.
        </p>
      </div>
      <div>
        <h3>Degrees of {nodesAre}</h3>
        <Ranges
          label={`Degrees of ${nodesAre}`} of={`Other ${nodesAre}`}
          heads={['Linked from this many', 'Link to this many']}
          rows={degrees.map(({ least, most, in: inCount, out }) => ({ least, most, counts: [inCount, out] }))}
        />
      </div>
    </div>
  );
}

interface Range {
  readonly least: number;
  readonly most: number;
  readonly counts: readonly number[];
}

function Ranges({ label, of, heads, rows }: {
  readonly label: string; readonly of: string; readonly heads: readonly string[]; readonly rows: readonly Range[];
}) {
  const columns: TableColumn<Range>[] = [
    [of, ({ least, most }) => (least === most ? number(least) : `${number(least)} to ${number(most)}`), ''],
    ...heads.map((head, i): TableColumn<Range> => [head, ({ counts }) => number(counts[i])]),
  ];
  return <Table label={label} columns={columns} rows={rows} keyOf={({ least }) => least} />;
}

import { useEffect, useState } from 'preact/hooks';
import { number, percent } from '../../../report/page/format.ts';
import type { ComputedStructure, CrawlGraph, GraphStructure } from '../../../service/dashboard/graph/api.ts';
import * as client from '../../client.ts';
import { Problem, Scroll } from '../../parts/words.tsx';

/** The last superstep that is read: then the run has fetched more. */
const lastOf = ({ supersteps }: CrawlGraph): number => supersteps.at(-1) ?? -1;

const parts: Readonly<Record<string, string>> = {
  core: 'Core: the largest strong component', in: 'In: reaches the core', out: 'Out: reached from the core',
  tubes: 'Tubes: from in to out past the core', tendrils: 'Tendrils: connected to these',
  disconnected: 'Disconnected',
};

/** Components and degrees of the whole graph. */
export function Structure({ id, graph }: { readonly id: string; readonly graph: CrawlGraph }) {
  const [{ structure, problem }, setAnswer] = useState<{
    readonly structure: GraphStructure | null; readonly problem: string;
  }>({ structure: null, problem: '' });
  useEffect(() => {
    let isGone = false;
    client.graphStructure(id).then(
      (structure) => { if (!isGone) setAnswer({ structure: structure, problem: '' }); },
      (error: unknown) => {
        if (!isGone) setAnswer((answer) => ({ ...answer, problem: (error as Error).message }));
      },
    );
    return () => { isGone = true; };
  }, [id, lastOf(graph)]);
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
        <Scroll label="Parts of the bow-tie">
          <table>
            <thead>
              <tr>
                <th scope="col">Part</th><th scope="col" class="figure">Pages</th>
                <th scope="col" class="figure">Fetched</th><th scope="col" class="figure">Share fetched</th>
              </tr>
            </thead>
            <tbody>
              {bowTie.map(({ part, pages, fetched }) => (
                <tr key={part}>
                  <th scope="row">{parts[part]}</th><td class="figure">{number(pages)}</td>
                  <td class="figure">{number(fetched)}</td>
                  <td class="figure">{pages === 0 ? '' : percent(fetched / pages)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </div>
      <div>
        <h3>Components by size</h3>
        <Ranges
          label="Components by size" of="Pages" heads={['Strong', 'Weak']}
          rows={sizes.map(({ least, most, strong: strong, weak: other }) => ({ least, most, counts: [strong, other] }))}
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
          rows={degrees.map(({ least, most, in: inCount, out: other }) => ({ least, most, counts: [inCount, other] }))}
        />
      </div>
    </div>
  );
}

function Ranges({ label, of, heads, rows }: {
  readonly label: string;
  readonly of: string;
  readonly heads: readonly string[];
  readonly rows: readonly { readonly least: number; readonly most: number; readonly counts: readonly number[] }[];
}) {
  return (
    <Scroll label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{of}</th>{heads.map((head) => <th key={head} scope="col" class="figure">{head}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ least, most, counts }) => (
            <tr key={least}>
              <th scope="row">{least === most ? number(least) : `${number(least)} to ${number(most)}`}</th>
              {counts.map((count, i) => <td key={heads[i]} class="figure">{number(count)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

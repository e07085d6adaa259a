import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { number } from '../../../report/page/format.ts';
import type { CrawlGraph } from '../../../service/dashboard/graph/api.ts';
import { useTitle } from '../../parts/hooks.ts';
import { Problem, StateWord } from '../../parts/words.tsx';
import { runAddress } from '../../routes.ts';
import { GraphPicture } from './picture/graph-picture.tsx';
import { Moment } from './moment.tsx';
import { finder } from './node-rows.ts';
import { NodeTable } from './node-table.tsx';
import { Pages } from './pages.tsx';
import { countedNodes, type Look } from './picture/picture.ts';
import { Structure } from './structure.tsx';
import { useGraph } from './use-graph.ts';
import { usePlaces } from './picture/use-places.ts';

/** The graph that a run crawls, as it grows. */
export function GraphView({ id }: { readonly id: string }) {
  const { listed, graph, problem } = useGraph(id);
  const name = listed?.name ?? '';
  useTitle(name === '' ? 'Graph' : `Graph of ${name}`);
  return (
    <>
      <header class="run-head">
        <h1>The graph of a run</h1>
        <p class="lede">
          {listed !== null && <><StateWord state={listed.state} /><b><bdi>{name}</bdi></b></>}
          <a href={runAddress(id)}>Back to the run</a>
        </p>
      </header>
      {problem !== '' && <Problem text={problem} />}
      {graph === null && problem === '' && <p class="nothing">Loading the graph …</p>}
      {graph !== null && <Shown id={id} name={name} graph={graph} />}
    </>
  );
}

const lastOf = ({ supersteps }: CrawlGraph): number => Math.max(0, supersteps.length - 1);

function Shown({ id, name, graph }: { readonly id: string; readonly name: string; readonly graph: CrawlGraph }) {
  const places = usePlaces(graph);
  /** Null: the last one, also while the run goes on. */
  const [moment, setMoment] = useState<number | null>(null);
  const [choice, setChosen] = useState<number | null>(null);
  const [text, setText] = useState('');
  const [node, setNode] = useState<number | null>(null);
  const isFound = useMemo(() => finder(text), [text]);
  const at = Math.min(moment ?? Infinity, lastOf(graph));
  const look = useMemo((): Look => ({ at, chosen: choice, isFound }), [at, choice, isFound]);
  const choose = useCallback((node: number) => {
    if (graph.from === 'graph') setNode(node);
  }, [graph.from]);
  useEffect(() => {
    if (node !== null) document.getElementById('pages')?.focus();
  }, [node]);
  const title = `${{ hosts: 'Hosts', directories: 'Directories' }[graph.nodesAre]} and their links`;
  return (
    <>
      <section aria-labelledby="graph">
        <div class="section-head">
          <h2 id="graph">{title}</h2>
          <label class="search">
            <span>Search {graph.nodesAre}</span>
            <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
        </div>
        <Sampled graph={graph} />
        <Moment graph={graph} at={at} setMoment={setMoment} isLast={moment === null} />
        <div class="graph">
          <GraphPicture
            id={id} title={`${title}: ${name}`} graph={graph} places={places} look={look} point={setChosen}
            choose={choose}
          />
          <NodeTable graph={graph} at={at} isFound={isFound} chosen={choice} point={setChosen} choose={choose} />
        </div>
      </section>
      {graph.from === 'graph' && (
        <>
          <Pages id={id} graph={graph} node={node} leave={() => setNode(null)} />
          <Structure id={id} graph={graph} />
        </>
      )}
    </>
  );
}

/** Says which nodes and links the picture has. */
function Sampled({ graph }: { readonly graph: CrawlGraph }) {
  const { nodes, links, counts, nodesAre, from, hostsAreSynthetic, isOver } = graph;
  const unknown = Math.max(0, (counts.reachable ?? 0) - counts.known);
  const sentences = [
    nodes.length < counts.known
      ? `This is a sample: of ${number(counts.known)} known ${nodesAre} the ${number(nodes.length)} with the most pages fetched.`
      : `These are all ${countedNodes(counts.known, nodesAre)} that the run ${from === 'log' ? 'has contacted' : 'knows'}.`,
    links.length < counts.links
      ? `Of the ${number(counts.links)} pairs that are linked, the ${number(links.length)} with the most links are drawn.` : '',
    unknown === 0 ? ''
      : `${countedNodes(unknown, nodesAre)} within reach ${unknown === 1 ? 'is' : 'are'} ${isOver ? 'unknown to the run' : 'not known yet'}.`,
    nodesAre === 'hosts' ? ''
      : 'The graph has few hosts, so each node is a directory: a host and the first segment of a path.',
    hostsAreSynthetic ? 'The hosts are synthetic: the source of the graph has no URLs.' : '',
    from === 'graph' ? ''
      : 'A live crawl writes its graph when it ends; until then its links are not known, and its hosts are those of crawl.log.',
  ];
  return <p class="note">{sentences.filter((sentence) => sentence !== '').join(' ')}</p>;
}

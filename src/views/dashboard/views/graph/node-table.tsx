import { useMemo, useRef, useState } from 'preact/hooks';
import { number } from '../../../report/page/format.ts';
import type { CrawlGraph, GraphNode } from '../../../service/dashboard/graph/api.ts';
import { Scroll } from '../../parts/words.tsx';
import { columns, rowsOf, valueOf, type Column, type Order } from './node-rows.ts';

interface Given {
  readonly graph: CrawlGraph;
  readonly at: number;
  readonly isFound: (node: GraphNode) => boolean;
  /** The node that is shown in the picture. */
  readonly chosen: number | null;
  readonly point: (id: number | null) => void;
  readonly choose: (id: number) => void;
}

const heads: Readonly<Record<Column, string>> = {
  name: '', processor: 'Processor', fetched: 'Fetched', failures: 'Failures', pages: 'Pages',
  linksIn: 'Links in', linksOut: 'Links out',
};

const narrow: readonly Column[] = ['pages', 'linksIn', 'linksOut'];

/** The nodes of the picture as a table, which is sorted by its heads. Up and down go from row to row. */
export function NodeTable({ graph, at, isFound, chosen, point, choose }: Given) {
  const [order, setOrder] = useState<Order>({ by: 'fetched', isDown: true });
  const body = useRef<HTMLTableSectionElement>(null);
  /** The row that the Tab key leads to. */
  const [entry, setEntry] = useState<number | null>(null);
  const rows = useMemo(() => rowsOf(graph, at, isFound, order), [graph, at, isFound, order]);
  const titles = columns[graph.from];
  const first = rows.some(({ id }) => id === entry) ? entry : rows[0]?.id;
  const press = (event: KeyboardEvent): void => {
    const buttons = [...body.current!.querySelectorAll('button')];
    const here = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (event.key === 'Escape') point(null);
    if (to === undefined) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, to))]?.focus();
  };
  const sort = (by: Column): void =>
    setOrder((order) => ({ by, isDown: order.by === by ? !order.isDown : by !== 'name' && by !== 'processor' }));
  return (
    <Scroll label={`Table of ${graph.nodesAre}`} isTall>
      <table class="nodes" onPointerLeave={() => point(null)}>
        <thead>
          <tr>
            {titles.map((column) => (
              <th
                key={column} scope="col"
                class={column === 'name' ? 'name' : narrow.includes(column) ? 'figure narrow' : 'figure'}
                aria-sort={order.by !== column ? undefined : order.isDown ? 'descending' : 'ascending'}
              >
                <button type="button" class="sort" onClick={() => sort(column)}>
                  {column === 'name' ? { hosts: 'Host', directories: 'Directory' }[graph.nodesAre] : heads[column]}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={press}>
          {rows.map((node) => (
            <tr key={node.id} class={node.id === chosen ? 'chosen' : undefined} onPointerEnter={() => point(node.id)}>
              <th scope="row" class="name">
                <button
                  type="button" class="pick" tabIndex={node.id === first ? 0 : -1} title={node.name}
                  onFocus={() => { setEntry(node.id); point(node.id); }} onClick={() => choose(node.id)}
                >
                  <bdi>{node.name}</bdi>
                </button>
              </th>
              {titles.slice(1).map((column) => (
                <td key={column} class="figure">{number(Number(valueOf(node, column, at)))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="nothing">None has this name.</p>}
    </Scroll>
  );
}

import type { CrawlStatus, NodeStatus } from '../../machines/cluster/index.ts';
import { counted, grouped } from './figures.ts';
import { printable } from './printable.ts';
import { headedTable } from './text-table.ts';

/** The nodes of a crawl as a table, and below it what all of them wait for, if they do. */
export function clusterText(crawl: CrawlStatus, redis: string): string {
  const { kind, nodes } = crawl;
  const hasSlots = kind === 'crawl';
  const rows = nodes.map((node) => [
    String(node.node), processText(node), ...(hasSlots ? [leaseText(node)] : []), numberText(node.epoch),
    whereText(node), numberText(node.pagesFetched), numberText(node.pagesKnown),
    node.waitsFor.length === 0 ? '-' : namesOf(node.waitsFor),
  ]);
  const table = headedTable(
    ['node', 'process', ...(hasSlots ? ['lease'] : []), 'epoch', 'at', 'fetched', 'known', 'waits for'], rows,
    ['right', 'left', ...(hasSlots ? ['right'] as const : []), 'right', 'left', 'right', 'right', 'left'],
  );
  return [`${titleOf(crawl)}, at ${printable(redis)}`, '', table, '', adviceOn(nodes)].join('\n');
}

/** Settings are JSON, and the graph its name and its checksum. */
function titleOf({ kind, id, settings, nodes }: CrawlStatus): string {
  const name = kind === 'crawl' ? 'Crawl' : `Simulation ${id}`;
  if (settings === null) return printable(`${name} on ${counted(nodes.length, 'node')}`);
  const { graph, policy, processors } = settings as Readonly<Record<string, string | undefined>>;
  const words = [
    graph === undefined ? name : `Simulation of ${graph.replace(/ [0-9a-f]{64}$/, '')}`,
    ...(policy === undefined ? [] : [`policy ${policy.replace(/^"|"$/g, '')}`]),
    ...(processors === undefined ? [] : [counted(Number(processors), 'processor')]),
  ];
  return printable(`${words.join(', ')} on ${counted(nodes.length, 'node')}`);
}

function processText(node: NodeStatus): string {
  const { process } = node;
  if (process !== null) return printable(`${process.machine} (${process.pid})`);
  if (node.record === 'result') return 'has ended';
  return isAway(node) ? 'nobody' : 'unknown';
}

/** No process can do its part. */
const isAway = ({ process, leaseSeconds, record }: NodeStatus): boolean =>
  process === null && leaseSeconds === null && record !== 'result';

const leaseText = ({ leaseSeconds }: NodeStatus): string =>
  leaseSeconds === null ? 'none' : `${Math.ceil(leaseSeconds)} s`;

const numberText = (value: number | null): string => (value === null ? '-' : grouped(value));

function whereText({ record, superstep, waitsFor }: NodeStatus): string {
  switch (record) {
    case 'none': return 'not begun';
    case 'ready': return waitsFor.length > 0 ? 'ready' : 'the first superstep';
    case 'arrival': return `barrier of superstep ${superstep}`;
    case 'settled':
      return waitsFor.length > 0 ? `barrier of superstep ${superstep}` : `superstep ${superstep! + 1}`;
    case 'result': return 'the end';
  }
}

function adviceOn(nodes: readonly NodeStatus[]): string {
  if (nodes.every(({ record }) => record === 'result')) return 'All nodes have ended.';
  const away = nodes.filter((node) => isAway(node));
  if (away.length === nodes.length)
    return 'No node has been heard of for 30 s: start them again, and they go on from where they were.';
  if (away.length > 0) {
    const again = away.length === 1 ? 'it again with its' : 'each again with its';
    return `${subject(away, 'is', 'are')} away, and all others wait: start ${again} own command.`;
  }
  const waiting = nodes.filter(({ waitsFor }) => waitsFor.length > 0);
  if (waiting.length === 0) return 'All nodes are at work.';
  const behind = nodes.filter(({ waitsFor }) => waitsFor.length === 0);
  return `${subject(behind, 'is', 'are')} at work: the others wait at the barrier.`;
}

function subject(nodes: readonly NodeStatus[], singular: string, many: string): string {
  const names = namesOf(nodes.map(({ node }) => node));
  return nodes.length === 1 ? `Node ${names} ${singular}` : `Nodes ${names} ${many}`;
}

const namesOf = (nodes: readonly number[]): string => nodes.join(', ');

import * as z from 'zod';
import { noRun, runPath } from '../api.ts';
import { endpoint, named, type Answered } from '../openapi/endpoint.ts';

const count = z.int().min(0);

const counts = z.strictObject({
  known: count.describe('nodes that the run knows a page of'),
  reachable: count.nullable().describe('nodes with a page within reach of the seed pages; null of a log'),
  links: count.describe('pairs of linked nodes among those in the answer'),
}).describe('how many there are, chosen or not');
export type GraphCounts = Answered<typeof counts>;

const graphNode = named('GraphNode', z.strictObject({
  id: count.describe('its number in the graph'),
  name: z.string(),
  processor: count,
  pages: count.nullable().describe('pages within reach of the seed pages; null of a log'),
  known: count.nullable().describe('pages that the run has found; null of a log'),
  fetched: z.array(count).describe('pages fetched until each of `supersteps`; of a log one number, that of now'),
  failures: count.describe('outcomes without a page'),
  since: count.describe('position in `supersteps` from which on the run knew a page of it'),
  linksIn: count.nullable().describe('links of pages fetched, to this node from others; null of a log'),
  linksOut: count.nullable().describe('links of its pages fetched, to other nodes; null of a log'),
}));
export type GraphNode = Answered<typeof graphNode>;

const graphLink = named('GraphLink', z.strictObject({
  from: count.describe('position in `nodes`'),
  to: count.describe('position in `nodes`'),
  weight: count,
  since: count.describe('position in `supersteps` from which on the run knew one of them'),
}).describe('links of the pages fetched of one node to pages of another'));
export type GraphLink = Answered<typeof graphLink>;

const crawlGraph = named('CrawlGraph', z.strictObject({
  nodesAre: z.enum(['hosts', 'directories'])
    .describe('a directory is a host and the first segment of a path: shown where there are fewer than 12 hosts'),
  hostsAreSynthetic: z.boolean()
    .describe('whether hosts were generated, because the source of the graph has no URLs'),
  from: z.enum(['graph', 'log']).describe('`log`: of a live crawl that goes on, whose pages and links can be read when ' +
    'it ends; there are no links then'),
  isOver: z.boolean(),
  processors: count,
  supersteps: z.array(count)
    .describe('at which counts are given: at most 100, rising, the last one that is recorded included; none of a log'),
  nodes: z.array(graphNode).describe('in the order in which they were chosen'),
  links: z.array(graphLink).describe('by weight, the greatest first'),
  counts,
}));
export type CrawlGraph = Answered<typeof crawlGraph>;

const listedPage = named('ListedPage', z.strictObject({
  page: count,
  name: z.string().describe('URL without scheme, or `page 123`'),
  node: count.describe('number of its node'),
  processor: count,
  state: z.enum(['fetched', 'failed', 'known', 'unknown'])
    .describe('`known`: found, without an outcome; `unknown`: not found yet'),
  superstep: count.nullable()
    .describe('the superstep in which it was fetched, or else found; null of an unknown page'),
  failure: z.string().nullable().describe('the kind of the last failure; null unless `state` is `failed`'),
  linksIn: count.describe('links of the stored graph'),
  linksOut: count.describe('links of the stored graph'),
}).describe('a page of the stored graph, and what became of it'));
export type ListedPage = Answered<typeof listedPage>;

const foundPages = named('FoundPages', z.strictObject({
  pages: z.array(listedPage).describe('at most 100, those with the most links to them'),
  count: count.describe('how many there are'),
  searched: count.describe('pages that were searched: all, or the first 1,000,000'),
}));
export type FoundPages = Answered<typeof foundPages>;

const neighbourhood = named('PageNeighbourhood', z.strictObject({
  page: listedPage,
  to: z.array(listedPage).describe('pages that it links to: at most 40, those with the most links to them'),
  from: z.array(listedPage).describe('pages that link to it, likewise'),
}));
export type PageNeighbourhood = Answered<typeof neighbourhood>;

const component = z.strictObject({ count, largest: count.describe('pages of the largest') });
export type ComponentFigures = Answered<typeof component>;

const sizeRange = z.strictObject({ least: count, most: count, strong: count, weak: count })
  .describe('components with `least` to `most` pages');
export type SizeRange = Answered<typeof sizeRange>;

const degreeRange = z.strictObject({ least: count, most: count, in: count, out: count })
  .describe('nodes that `least` to `most` other nodes link to, and nodes that link to so many');
export type DegreeRange = Answered<typeof degreeRange>;

const computed = named('ComputedStructure', z.strictObject({
  strong: component, weak: component,
  bowTie: z.array(z.strictObject({ part: z.string(), pages: count, fetched: count }))
    .describe('parts of the bow-tie around the largest strong component'),
  sizes: z.array(sizeRange).describe('in ranges that double, empty ones left out'),
  degrees: z.array(degreeRange).describe('in ranges that double, empty ones left out'),
}));
export type ComputedStructure = Answered<typeof computed>;

const structure = named('GraphStructure', z.strictObject({
  nodesAre: crawlGraph.shape.nodesAre, pages: count, links: count,
  computed: computed.nullable().describe('null of a graph with more than `maxStructureLinks`'),
  maxStructureLinks: count,
}));
export type GraphStructure = Answered<typeof structure>;

const number = z.coerce.number().int().min(0);
const ofStoredGraph = 'Refused of a live crawl that goes on: its pages and links can be read when it ends.';

export const graphEndpoints = {
  graph: endpoint({
    method: 'GET', path: '/api/runs/:id/graph', summary: 'Reads the graph that a run crawls',
    description: 'As hosts and the links between them; of a run that goes on, as far as its record is written. At ' +
      'most 500 hosts are in the answer: those with the most pages fetched; among equal ones those with more pages ' +
      'within reach, then those that more links lead to. Of the links between these, the 2,000 of the greatest weight.',
    params: runPath, answer: { description: 'Nodes and links.', schema: crawlGraph }, errors: noRun,
  }),
  structure: endpoint({
    method: 'GET', path: '/api/runs/:id/graph/structure', summary: 'Computes components and degrees of the graph',
    description: `And what the run has fetched of them. ${ofStoredGraph}`,
    params: runPath, answer: { description: 'Components and degrees.', schema: structure }, errors: noRun,
  }),
  node: endpoint({
    method: 'GET', path: '/api/runs/:id/graph/node/:node', summary: 'Lists the pages of a node',
    description: ofStoredGraph, params: runPath.extend({ node: number.describe('its number in the graph') }),
    answer: { description: 'Pages.', schema: foundPages }, errors: noRun,
  }),
  find: endpoint({
    method: 'GET', path: '/api/runs/:id/graph/pages', summary: 'Finds pages by their URL',
    description: ofStoredGraph, params: runPath,
    query: z.object({ find: z.string().min(1).max(200).describe('a part of the URL, in upper or lower case') }),
    answer: { description: 'Pages.', schema: foundPages }, errors: noRun,
  }),
  page: endpoint({
    method: 'GET', path: '/api/runs/:id/graph/page/:page', summary: 'Shows a page and those around it',
    description: ofStoredGraph,
    params: runPath.extend({ page: number.describe('its number in the stored graph') }),
    answer: { description: 'The page and its neighbours.', schema: neighbourhood }, errors: noRun,
  }),
};

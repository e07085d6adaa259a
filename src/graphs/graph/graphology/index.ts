/** Graphs as graphology's objects, and what its packages compute. Apart, so that only those load it who need it. */
export {
  fromGraphology, toGraphology, type PageAttributes, type PageGraph, type WebGraphAttributes,
} from './graphology.ts';
export { hostGraphology, type HostAttributes, type HostLinkAttributes } from './host-graph.ts';
export { communityModularity, hostBetweenness, hostCommunities } from './host-structure.ts';

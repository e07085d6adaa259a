/** Graphs as graphology's objects, and what its packages compute. Apart, so that only those load it who need it. */
export {
  fromGraphology, toGraphology, type PageAttributes, type PageGraph, type WebGraphAttributes,
} from './graphology.ts';
export {
  communityModularity, hostBetweenness, hostCommunities, hostGraphology, type HostAttributes, type HostLinkAttributes,
} from './host-structure.ts';

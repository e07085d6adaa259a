import type { FileStart } from '../file-start.ts';
import type { Format } from '../format.ts';

/** Whether markup, which may be in UTF-16, has an element with this start tag. */
function hasElement({ isMarkup, text }: FileStart, tag: RegExp): boolean {
  return isMarkup && tag.test(text.replaceAll('\0', ''));
}

// Their readers need large libraries and are loaded on demand: otherwise every command would wait for them.

export const gexf = {
  name: 'gexf',
  title: 'GEXF document',
  holds: 'also of undirected graphs',
  several: false,
  begins: (start) => hasElement(start, /<gexf[\s>]/),
  read: async ([path], options) => (await import('./xml-graph.ts')).readGexf(path, options),
} as const satisfies Format;

export const graphMl = {
  name: 'graphml',
  title: 'GraphML document',
  holds: 'also of undirected graphs',
  several: false,
  begins: (start) => hasElement(start, /<(\w+:)?graphml[\s>]/),
  read: async ([path], options) => (await import('./xml-graph.ts')).readGraphMl(path, options),
} as const satisfies Format;

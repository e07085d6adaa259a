/** What the page shows, as its address says: `#/`, `#/new`, `#/run/ID`, `#/run/ID/graph`, `#/compare?run=ID&run=ID`. */
export type Route =
  | { readonly view: 'runs' | 'new' }
  | { readonly view: 'run' | 'graph'; readonly id: string }
  | { readonly view: 'compare'; readonly ids: readonly string[] };

export function routeOf(hash: string): Route {
  if (hash === '#/new') return { view: 'new' };
  if (hash.startsWith('#/compare?'))
    return { view: 'compare', ids: [...new Set(new URLSearchParams(hash.slice('#/compare?'.length)).getAll('run'))] };
  const match = /^#\/run\/([^/]+)(\/graph)?$/.exec(hash);
  if (match === null) return { view: 'runs' };
  const id = match[1];
  const view = hash.endsWith('/graph') ? 'graph' : 'run';
  try {
    return { view, id: decodeURIComponent(id) };
  } catch {
    // A bare % is no escape: it is part of the id.
    return { view, id };
  }
}

export const runAddress = (id: string): string => `#/run/${encodeURIComponent(id)}`;
export const graphAddress = (id: string): string => `${runAddress(id)}/graph`;
export const compareAddress = (ids: readonly string[]): string =>
  `#/compare?${ids.map((id) => `run=${encodeURIComponent(id)}`).join('&')}`;

/** What the page shows, as its address says: `#/`, `#/new`, `#/run/ID`, `#/run/ID/graph`. */
export type Route = { readonly view: 'runs' | 'new' } | { readonly view: 'run' | 'graph'; readonly id: string };

export function routeOf(hash: string): Route {
  if (hash === '#/new') return { view: 'new' };
  const found = /^#\/run\/([^/]+)(\/graph)?$/.exec(hash);
  if (found === null) return { view: 'runs' };
  const id = found[1];
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

/** What the page shows, as its address says: `#/`, `#/new`, `#/run/ID`. */
export type Route = { readonly view: 'runs' | 'new' } | { readonly view: 'run'; readonly id: string };

export function routeOf(hash: string): Route {
  if (hash === '#/new') return { view: 'new' };
  const id = /^#\/run\/(.+)$/.exec(hash)?.[1];
  if (id === undefined) return { view: 'runs' };
  try {
    return { view: 'run', id: decodeURIComponent(id) };
  } catch {
    // A bare % is no escape: it is part of the id.
    return { view: 'run', id };
  }
}

export const runAddress = (id: string): string => `#/run/${encodeURIComponent(id)}`;

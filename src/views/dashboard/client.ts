import type {
  ApiError, CheckedRun, ControlBody, ListedRun, NewRun, RunView, SettingsForms,
} from '../service/dashboard/api.ts';
import type {
  CrawlGraph, FoundPages, GraphStructure, PageNeighbourhood,
} from '../service/dashboard/graph/api.ts';
import type { FeedQuery, LogQuery, RunFeed, RunLog } from '../service/dashboard/logs/api.ts';
import type { OpenedSuperstep } from '../service/dashboard/timeline/api.ts';

/** An answer that is no success, or none at all (`status` 0). */
export class Refused extends Error {
  readonly status: number;
  /** The setting that it is about, dotted. */
  readonly field: string | undefined;

  constructor(message: string, status: number, field?: string) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

export const noServer = "The dashboard's server does not answer; the runs go on. Start it again: orbweaver dashboard";

async function answer<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, {
      ...(body !== undefined && {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
      }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Refused(noServer, 0);
  }
  const json = await response.json().catch(() => undefined) as unknown;
  if (response.ok) return json as T;
  if (response.status === 401) {
    throw new Refused('This browser may not use the dashboard. Open the address that orbweaver dashboard prints.', 401);
  }
  const { error, field } = Object(json) as Partial<ApiError>;
  throw new Refused(error ?? `The dashboard's server answered ${response.status}.`, response.status, field);
}

function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
}

const runPath = (id: string): string => `runs/${encodeURIComponent(id)}`;

export const runs = async (): Promise<readonly ListedRun[]> =>
  (await answer<{ readonly runs: readonly ListedRun[] }>('runs')).runs;
export const run = (id: string): Promise<RunView> => answer(runPath(id));
export const reportUrl = (id: string): string => `/api/${runPath(id)}/report`;
/** Null as long as none is recorded. */
export const superstep = (id: string, number: number | 'last'): Promise<OpenedSuperstep | null> =>
  answer(`${runPath(id)}/superstep/${number}`);
export const traceUrl = (id: string, only?: number): string =>
  `/api/${runPath(id)}/trace${only === undefined ? '' : `?from=${only}&to=${only}`}`;
export const log = (id: string, query: Partial<LogQuery>, signal: AbortSignal): Promise<RunLog> =>
  answer(`${runPath(id)}/log?${queryText(query)}`, undefined, signal);
export const feed = (id: string, query: Partial<FeedQuery>, signal: AbortSignal): Promise<RunFeed> =>
  answer(`${runPath(id)}/feed?${queryText(query)}`, undefined, signal);
export const crawlGraph = (id: string): Promise<CrawlGraph> => answer(`${runPath(id)}/graph`);
/** Pages of a node, or those with a text in their URL. */
export const graphPages = (
  id: string, of: { readonly node: number } | { readonly find: string },
): Promise<FoundPages> => {
  const what = 'node' in of ? `node/${of.node}` : `pages?${queryText(of)}`;
  return answer(`${runPath(id)}/graph/${what}`);
};
export const graphPage = (id: string, page: number): Promise<PageNeighbourhood> =>
  answer(`${runPath(id)}/graph/page/${page}`);
export const graphStructure = (id: string): Promise<GraphStructure> =>
  answer(`${runPath(id)}/graph/structure`);
export const settings = (): Promise<SettingsForms> => answer('settings');
export const check = (run: NewRun, signal: AbortSignal): Promise<CheckedRun> => answer('check', run, signal);
export const start = (run: NewRun): Promise<{ readonly id: string }> => answer('runs', run);
export const control = (id: string, body: ControlBody): Promise<unknown> =>
  answer(`${runPath(id)}/control`, body);

import { graphsFolder } from '../../graphs/catalogue/index.ts';
import type { Crew, GraphStore, RemoteWorkers } from '../../machines/cluster/studies/index.ts';
import { InputError } from '../../base/index.ts';
import { counted } from '../text/figures.ts';

export interface WorkersFlags {
  readonly workers?: string;
  readonly graphs?: string;
}

export function graphStoreOf(place: string | undefined): GraphStore {
  if (place === undefined) return { folder: graphsFolder() };
  if (!/^[a-z]+:\/\//i.test(place)) return { folder: place };
  if (!/^https?:\/\//i.test(place)) throw new InputError('--graphs: must be a folder, or an http or https address');
  return { folder: graphsFolder(), url: place };
}

export async function workersOf(
  flags: WorkersFlags,
  options: Pick<Parameters<typeof RemoteWorkers.open>[1], 'signal' | 'onRemark' | 'onCrew'>,
): Promise<RemoteWorkers | undefined> {
  checkWorkersFlags(flags);
  const { workers: url, graphs = graphsFolder() } = flags;
  if (url === undefined) return undefined;
  const { RemoteWorkers: Workers } = await import('../../machines/cluster/studies/index.ts');
  return Workers.open(url, { ...options, graphs });
}

/** @throws InputError before any work begins. */
export function checkWorkersFlags({ workers: url, graphs }: WorkersFlags): void {
  if (url === undefined) {
    if (graphs !== undefined) throw new InputError('--graphs: stores the graph for workers; it needs --workers');
    return;
  }
  if (/^[0-9]+$/.test(url)) {
    throw new InputError(`--workers ${url}: takes the URL of a Redis server; --threads ${url} sets the number of threads`);
  }
  if (graphs !== undefined && /^[a-z]+:\/\//i.test(graphs)) {
    throw new InputError('--graphs: the graph is stored in a folder; workers may read that folder by a web address');
  }
}

export function crewInWords(crew: Crew | undefined): string {
  if (crew === undefined) return 'workers';
  return `${counted(crew.workers, 'worker')} with ${counted(crew.threads, 'thread')}`;
}

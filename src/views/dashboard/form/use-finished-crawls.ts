import { useEffect, useState } from 'preact/hooks';
import type { ListedRun } from '../../service/dashboard/api.ts';
import * as client from '../client.ts';

/** Live crawls that have ended, with a record. None where they cannot be listed: the form can do without. */
export function useFinishedCrawls(): readonly ListedRun[] {
  const [crawls, setCrawls] = useState<readonly ListedRun[]>([]);
  useEffect(() => {
    client.runs().then((runs) => setCrawls(runs.filter(hasNetwork)), () => undefined);
  }, []);
  return crawls;
}

function hasNetwork({ kind, figures }: ListedRun): boolean {
  return kind === 'live' && figures !== null && figures.pages > 0;
}

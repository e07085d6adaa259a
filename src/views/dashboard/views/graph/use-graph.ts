import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ListedRun } from '../../../service/dashboard/api.ts';
import type { CrawlGraph } from '../../../service/dashboard/graph/api.ts';
import * as client from '../../client.ts';
import { useRunsChange } from '../../parts/hooks.ts';

/** A run that goes on is asked for again after so long, or after some times as long as the server needed. */
const PAUSE_MS = 2000;
const TIMES = 5;

export interface AskedGraph {
  readonly listed: ListedRun | null;
  readonly graph: CrawlGraph | null;
  readonly problem: string;
}

const nothing: AskedGraph = { listed: null, graph: null, problem: '' };

/** The graph of a run: again and again while the run goes on. */
export function useGraph(id: string): AskedGraph {
  const [answer, setAnswer] = useState<AskedGraph>(nothing);
  const waiting = useRef<ReturnType<typeof setTimeout>>();
  /** The number of the last request: answers to earlier ones are ignored. */
  const last = useRef(0);
  const ask = useCallback(async () => {
    const number = ++last.current;
    clearTimeout(waiting.current);
    const beganMs = performance.now();
    const answer = await askedFor(id);
    if (number !== last.current) return;
    setAnswer((state) => ({
      ...answer, listed: answer.listed ?? state.listed, graph: answer.graph ?? state.graph,
      // What was read a moment ago is shown on while the record moves to its place.
      problem: state.graph === null ? answer.problem : '',
    }));
    if (answer.listed !== null && answer.listed.state !== 'running') return;
    waiting.current = setTimeout(() => void ask(), Math.max(PAUSE_MS, TIMES * (performance.now() - beganMs)));
  }, [id]);
  useEffect(() => {
    setAnswer(nothing);
    void ask();
    return () => {
      last.current++;
      clearTimeout(waiting.current);
    };
  }, [ask]);
  useRunsChange(() => void ask(), [ask]);
  return answer;
}

async function askedFor(id: string): Promise<AskedGraph> {
  let listed: ListedRun | null = null;
  try {
    listed = (await client.runs()).find((run) => run.id === id) ?? null;
    return { listed, graph: await client.crawlGraph(id), problem: '' };
  } catch (error) {
    return { listed, graph: null, problem: (error as Error).message };
  }
}

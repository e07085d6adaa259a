import { useEffect, useRef, useState } from 'preact/hooks';
import type { CrawlGraph } from '../../../../service/dashboard/graph/api.ts';
import { hasOutgrown, placesOf, unarranged, type Places } from './places.ts';

const nowhere: Places = new Map();

/** Where the nodes of a graph are, arranged by a worker; null until it has answered for the first time. */
export function usePlaces(graph: CrawlGraph | null): Places | null {
  const [places, setPlaces] = useState<Places | null>(null);
  /** The graph that was arranged last. */
  const arranged = useRef<CrawlGraph | null>(null);
  useEffect(() => {
    if (graph === null || !hasOutgrown(graph, arranged.current, places ?? nowhere)) return;
    const request = unarranged(graph, places ?? nowhere);
    const worker = new Worker('/layout-worker.js');
    const show = (layout: Float32Array): void => {
      arranged.current = graph;
      setPlaces(placesOf(graph.nodes, layout));
    };
    worker.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => show(data));
    // Without the worker, nodes are where they began.
    worker.addEventListener('error', () => show(request.places));
    worker.postMessage(request);
    return () => worker.terminate();
  }, [graph]);
  return places;
}

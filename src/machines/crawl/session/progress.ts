import type { RunSink } from '../../../core/events/index.ts';
import type { KnownUrls, Web } from '../../../core/live/index.ts';
import type { LiveProgress } from '../live-crawl.ts';

/** A sink that reports progress after every new outcome and at every barrier. */
export function liveProgressSink(
  onProgress: (progress: LiveProgress) => void, urls: KnownUrls, web: Pick<Web, 'clock'>,
): RunSink {
  let firstSuperstep = 0;
  let superstep = -1;
  let pagesFetched = 0;
  const report = (): void => {
    if (superstep < firstSuperstep) return;
    onProgress({
      superstep, pagesFetched, pagesKnown: urls.count + urls.elsewhereCount, seconds: web.clock.nowUs / 1e6,
    });
  };
  return {
    started: (run) => { ({ firstSuperstep } = run); },
    superstepBegins: (number) => { superstep = number; },
    outcome: (_processor, { kind }) => {
      if (kind === 'fetched') pagesFetched++;
      report();
    },
    superstep: report,
  };
}

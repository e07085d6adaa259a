import type { LiveCrawlOptions } from '../../../machines/crawl/index.ts';
import type { ProcessorSnapshot, RunControl } from '../../../core/engine/index.ts';
import { CrawlCounts, crawlMetrics, MetricsServer } from '../../../views/service/index.ts';
import { OutcomeLog, type RunWatch } from '../../../views/watch/index.ts';
import { InputError } from '../../../base/index.ts';
import { invocation } from '../../invocation.ts';
import { remark } from '../output.ts';
import { ProgressLine } from '../progress.ts';
import { ProgressLog, progressText, type CrawlMoment } from './progress-log.ts';

export interface WatchFlags {
  readonly log: 'text' | 'json' | undefined;
  /** A port; undefined: no metrics are served. */
  readonly metrics: number | undefined;
  readonly control: RunControl;
}

export class CrawlWatch {
  readonly #counts = new CrawlCounts();
  readonly #control: RunControl;
  readonly #line: ProgressLine | undefined;
  readonly #log: ProgressLog | undefined;
  #server: MetricsServer | undefined;

  /** @throws InputError if the port is not free. */
  static async open({ log, metrics, control }: WatchFlags): Promise<CrawlWatch> {
    const watch = new CrawlWatch(log, control);
    if (metrics !== undefined) await watch.#serve(metrics);
    return watch;
  }

  private constructor(log: WatchFlags['log'], control: RunControl) {
    this.#control = control;
    if (log === undefined && invocation().stderr.isTTY === true) this.#line = new ProgressLine();
    else this.#log = new ProgressLog(() => this.#moment());
  }

  /** Options of the crawl. @param signal its abort asks the crawl to end. @param watch set if others can join. */
  options(
    signal: AbortSignal, watch: RunWatch | undefined,
  ): Pick<LiveCrawlOptions, 'sinks' | 'control' | 'onProgress' | 'onStatistics'> {
    const line = this.#line;
    const folder = watch?.card.folder ?? null;
    return {
      sinks: [this.#counts, ...(watch ? [watch] : []), ...(folder === null ? [] : [new OutcomeLog(folder)])],
      control: this.#control,
      onStatistics: watch && ((row) => { watch.statistics(row); }),
      ...(line && {
        onProgress: (at) => {
          const { hostsOutOfReach, isNetworkOut } = this.#moment() ??
            { hostsOutOfReach: 0, isNetworkOut: false };
          line.show(() => (signal.aborted ? 'ending, waiting up to 10 s for open downloads; ' : '') +
            progressText({ ...at, hostsOutOfReach, isNetworkOut }));
        },
      }),
    };
  }

  async close(): Promise<void> {
    this.#line?.clear();
    this.#log?.close();
    await this.#server?.close();
  }

  async #serve(port: number): Promise<void> {
    try {
      this.#server = await MetricsServer.listen(port, () => crawlMetrics(this.#counts, this.#control));
    } catch (error) {
      this.#log?.close();
      throw error instanceof InputError ? new InputError(`--metrics: ${error.message}`) : error;
    }
    remark(`metrics: ${this.#server.url}`, 'metrics', { url: this.#server.url });
  }

  #moment(): CrawlMoment | undefined {
    const processors = this.#control.inspect()?.processors;
    if (processors === undefined) return undefined;
    const sum = (of: (processor: ProcessorSnapshot) => number): number =>
      processors.reduce((total, processor) => total + of(processor), 0);
    const counts = this.#counts.processors;
    return {
      superstep: this.#counts.current,
      pagesFetched: sum(({ pagesFetched }) => pagesFetched),
      pagesKnown: sum(({ pagesKnown }) => pagesKnown),
      pagesQueued: sum(({ pagesQueued }) => pagesQueued),
      jobsPending: sum(({ pendingJobs }) => pendingJobs),
      downloadsInFlight: sum(({ openDownloads }) => openDownloads.length),
      hostsOutOfReach: sum(({ hostsOutOfReach }) => hostsOutOfReach),
      isNetworkOut: processors.some(({ isNetworkOut }) => isNetworkOut),
      failures: this.#counts.failures,
      bytes: counts.reduce((total, { bytes }) => total + bytes, 0),
      seconds: Math.max(...processors.map(({ nowUs }) => nowUs)) / 1e6,
    };
  }
}

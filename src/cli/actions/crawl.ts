import { join } from 'node:path';
import * as z from 'zod';
import type { LiveCrawlOptions, LiveCrawlRequest, LiveResult } from '../../machines/crawl/index.ts';
import { readUrlScores } from '../../graphs/formats/index.ts';
import { curvesCsv, reportHtml } from '../../views/report/index.ts';
import { RunControl } from '../../core/engine/index.ts';
import { isPolicyFile } from '../../core/policy/index.ts';
import { kebabCase, type Settings } from '../../core/settings/index.ts';
import { InputError } from '../../base/index.ts';
import { collectLessOften } from '../../base/threads/index.ts';
import { onNode } from '../answers/nodes/cluster.ts';
import { crawlText, givenUpInWords, whyNoPage } from '../text/crawl/crawl-text.ts';
import { CrawlWatch } from '../text/crawl/crawl-watch.ts';
import { exitCodes } from '../exit.ts';
import { clock, counted, grouped } from '../text/figures.ts';
import { liveConfigSchemaText, liveConfigText, readLiveConfig, type LiveConfig } from '../flags/config.ts';
import { idleFlags, liveCrawlOf, ownFlags, runDefaults, type ConfigFlags, type OutFlags } from '../flags/flags.ts';
import { interruptSignal } from '../interrupt.ts';
import { invocation } from '../invocation.ts';
import { liveOf } from '../flags/live/live-flags.ts';
import { commandLine } from '../flags/out-folder.ts';
import { print, printText, remark, remarkInterrupted, remarkStatistics } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { statisticsParts } from '../text/findings/statistics-shown.ts';
import { watched } from '../watched.ts';

interface Flags extends ConfigFlags, OutFlags {
  readonly resume?: string;
  readonly orResume?: true;
  readonly retry?: string;
  readonly scores?: string;
  readonly warc?: boolean;
  readonly log?: string;
  readonly metrics?: string;
  readonly watch?: true;
  readonly cluster?: string;
}

const part = z.object({
  node: z.int().min(0).optional(),
  nodes: z.int().min(1).optional(),
  leaseSeconds: z.number().min(1).max(3600).optional(),
});

const watching = z.object({
  log: z.enum(['text', 'json']).optional(),
  metrics: z.int().min(0).max(65_535).optional(),
});

const limits = z.object({
  maxPages: z.int().min(1).max(2 ** 32).optional(),
  maxSeconds: z.number().positive().max(1e9).optional(),
});

export async function runCrawl(urlsTyped: readonly string[], typed: Flags): Promise<void> {
  const { log, metrics } = ownFlags(watching, typed);
  const ofNode = ownFlags(part, typed);
  const flags = inFolderOf(ofNode.node, typed);
  invocation().logsJson = log === 'json';
  const { config, policies } = await readLiveConfig(flags);
  if (flags.printSchema === true) {
    printText(liveConfigSchemaText(policies.settings));
    return;
  }
  const urls = urlsTyped.length > 0 ? urlsTyped : config.seeds ?? [];
  if (flags.printConfig === true) {
    const { experiment, live } = await settingsOf(flags, config, policies.settings);
    printText(await liveConfigText(experiment, live, urls, policies.settings));
    return;
  }
  checkRetry(flags);
  collectLessOften();
  const control = new RunControl();
  const watch = await CrawlWatch.open({ log, metrics, control });
  const signal = interruptSignal();
  const where = flags.resume ?? flags.out;
  const run = { kind: 'live', name: urls.at(0) ?? where ?? '', folder: where, signal, control } as const;
  const crawled = await onNode(
    { ...ofNode, cluster: flags.cluster }, { watch: flags.watch }, signal,
    async (node) => watched(flags.watch && run, async (watching) => {
      const options = async (): Promise<LiveCrawlOptions> => ({
        signal,
        policies: policies.added,
        command: commandLine(),
        node,
        retryFailed: flags.retry !== undefined,
        clockSpeed: clockSpeed(),
        ...watch.options(signal, watching?.watch),
        ...(flags.scores !== undefined && { scores: await readUrlScores(flags.scores) }),
      });
      const crawled = await (
        flags.resume === undefined
          ? begin(urls, flags, () => settingsOf(flags, config, policies.settings), options)
          : goOn(flags.resume, urls, flags, options)
      );
      await writeReport(crawled);
      return crawled;
    }),
  ).finally(() => watch.close());
  if (crawled === undefined) return;
  const { folder, result } = crawled;
  print(flags.json, () => result.run, () => crawlText(folder, result, ofNode));
  remarkStatistics(result);
  await remarkEnd(folder, result, flags.cluster !== undefined);
  if (log !== undefined) remarkFigures(result.run.summary);
}

function checkRetry({ retry, resume, cluster }: Flags): void {
  if (retry === undefined) return;
  if (retry !== 'failed') throw new InputError(`--retry ${JSON.stringify(retry)}: only "failed" can be tried again`);
  if (resume === undefined) throw new InputError('--retry failed goes with --resume <DIR>');
  if (cluster !== undefined) throw new InputError('--retry failed does not work with --cluster');
}

function clockSpeed(): number {
  const speed = Number(process.env['ORBWEAVER_CLOCK_SPEED'] ?? 1);
  if (!(speed >= 1 && speed <= 1e6)) throw new InputError('ORBWEAVER_CLOCK_SPEED: must be a number from 1 to 1e6');
  return speed;
}

/** Each node has a folder within the folder of the crawl. */
function inFolderOf(node: number | undefined, flags: Flags): Flags {
  if (node === undefined) return flags;
  const inside = (folder: string): string => join(folder, `node-${node}`);
  return {
    ...flags, ...(flags.out !== undefined && { out: inside(flags.out) }),
    ...(flags.resume !== undefined && { resume: inside(flags.resume) }),
  };
}

async function writeReport({ folder, result }: Crawled): Promise<void> {
  const label = `${printable(folder)}, ${result.run.experiment.policy}`;
  const { writeInto } = await parts();
  const options = { title: label, command: commandLine(), parts: statisticsParts(result) };
  const runs = [{ label, result }];
  await writeInto(folder, new Map([['report.html', reportHtml(runs, options)], ['curves.csv', curvesCsv(runs)]]));
}

/** Remarks on how the crawl ended; sets the exit code. */
async function remarkEnd(
  folder: string, { run: { summary }, pagesBeyondRecord, pagesOfAll, hostsGivenUp = [], hadEnded }: LiveResult,
  isNode: boolean,
): Promise<void> {
  if (hadEnded) {
    const { ended } = summary;
    remark(`nothing was left to do, and nothing was fetched: the crawl had ended (${ended})${wayOn[ended] ?? ''}`, 'over');
  }
  if (hostsGivenUp.length > 0) {
    const path = printable(join(folder, 'hosts-given-up.csv'));
    remark(
      `${givenUpInWords(hostsGivenUp)} (${path}); to try them again: ` +
        `orbweaver crawl --resume ${printable(folder)} --retry failed`,
      'givenUp',
    );
  }
  // Pages of other nodes are in logs of theirs.
  const isWhole = !isNode || pagesOfAll === summary.pagesFetched;
  const nothing = isWhole ? await whyNoPage(join(folder, 'crawl.log'), summary, isNode) : undefined;
  if (nothing !== undefined) {
    remark(nothing, 'nothing');
    invocation().exitCode = exitCodes.nothing;
  }
  if (pagesBeyondRecord > 0) {
    remark(
      `a session that was killed stored ${counted(pagesBeyondRecord, 'more page')} than this record shows; --resume adds them`,
    );
  }
  if (summary.ended !== 'interrupted') return;
  const command = `orbweaver crawl --resume ${printable(folder)}`;
  remarkInterrupted(`interrupted after ${grouped(summary.pagesFetched)} pages; continue with: ${command}`, 'interrupted');
}

const wayOn: Partial<Readonly<Record<LiveResult['run']['summary']['ended'], string>>> = {
  'page limit': '; raise --max-pages to continue', 'time limit': '; raise --max-seconds to continue',
};

function remarkFigures({ ended, pagesFetched, virtualSeconds, failuresByKind }: LiveResult['run']['summary']): void {
  remark(`ended (${ended}): ${counted(pagesFetched, 'page')}, ${clock(virtualSeconds)}`, 'ended', {
    ended, pagesFetched, seconds: virtualSeconds, failuresByKind, exitCode: invocation().exitCode,
  });
}

/** Loaded when a crawl starts: --print-config and --print-schema need neither its HTTP client nor its store. */
const parts = () => import('../../machines/crawl/index.ts');

interface Crawled {
  readonly folder: string;
  readonly result: LiveResult;
}

async function settingsOf(
  flags: Flags, config: LiveConfig, settings: Settings,
): Promise<Omit<LiveCrawlRequest, 'seeds'>> {
  const experiment = liveCrawlOf(flags, config.crawl, settings);
  for (const text of idleFlags(flags, experiment, settings)) remark(text);
  return { experiment: { ...runDefaults, ...experiment }, live: await liveOf(flags, config.live) };
}

async function begin(
  urls: readonly string[], flags: Flags, settings: () => Promise<Omit<LiveCrawlRequest, 'seeds'>>,
  options: () => Promise<LiveCrawlOptions>,
): Promise<Crawled> {
  if (urls.length === 0) throw new InputError('name a URL to start from, like https://example.org/, or use --resume <DIR>');
  if (flags.out === undefined)
    throw new InputError(
      '--out <DIR> is missing: a crawl stores what it fetches, and what it needs to resume, in a folder',
    );
  const request = { ...(await settings()), seeds: urls };
  const { crawlLive, isResumable, resumeCrawl } = await parts();
  if (flags.orResume === true && (await isResumable(flags.out))) {
    const { maxPages, maxSeconds } = request.experiment;
    return { folder: flags.out, result: await resumeCrawl(flags.out, { maxPages, maxSeconds }, await options()) };
  }
  return { folder: flags.out, result: await crawlLive(flags.out, request, await options()) };
}

async function goOn(
  folder: string, urls: readonly string[], flags: Flags, options: () => Promise<LiveCrawlOptions>,
): Promise<Crawled> {
  const allowed = [
    'resume', 'maxPages', 'maxSeconds', 'scores', 'log', 'metrics', 'watch', 'json', 'warc', 'cluster', 'node', 'nodes',
    'leaseSeconds', 'retry',
  ];
  const isFile = typeof flags['policy'] === 'string' && isPolicyFile(flags['policy']);
  const other = Object.keys(flags).find((flag) => !allowed.includes(flag) && !(isFile && flag === 'policy'));
  if (urls.length > 0 || other !== undefined || flags.warc === false) {
    const offender = urls[0] ?? `--${other === undefined || other === 'warc' ? 'no-warc' : kebabCase(other)}`;
    throw new InputError(
      `${printable(offender)}: ` + '--resume continues with the settings of the crawl: only --max-pages, --max-seconds, --scores, a file for --policy, --log, --metrics, --watch, --retry, --json and the flags of --cluster may be set',
    );
  }
  const { resumeCrawl } = await parts();
  return { folder, result: await resumeCrawl(folder, ownFlags(limits, flags), await options()) };
}

import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import * as z from 'zod';
import { studiesFolder } from '../../graphs/catalogue/index.ts';
import { prepare, type WebGraph } from '../../graphs/graph/index.ts';
import {
  makePlan, PlanInterrupted, readPlanFile, requestOf, variable, type Plan, type PlanRequest, type TrialsDone,
  type TrialsOptions, type WrittenRequest,
} from '../../questions/plan/index.ts';
import type { PolicyRegistry } from '../../core/policy/index.ts';
import { shownHtml } from '../../views/report/index.ts';
import { fitNetwork } from '../../core/engine/index.ts';
import { simulatedOnly, type ExperimentInput } from '../../core/settings/index.ts';
import { codeVersion } from '../../questions/study/index.ts';
import type { JobProgress } from '../../views/watch/index.ts';
import { configSchemaText, configText } from '../flags/config.ts';
import { fittedExperiment, readConfigFor } from '../flags/crawl-folder.ts';
import { flagsOf, ownFlags, type ConfigFlags, type OutFlags } from '../flags/flags.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { checkWorkersFlags, crewInWords, type WorkersFlags } from '../jobs/workers.ts';
import { commandLine, shellWord } from '../flags/out-folder.ts';
import { seedPagesOf } from '../flags/seed-pages.ts';
import { interruptSignal } from '../interrupt.ts';
import { runJob, withCrew, type JobEnd } from '../jobs/run-job.ts';
import { PlanBoard } from '../jobs/boards.ts';
import { answerPart, planDocument, planReport, type PlanCommands } from '../text/findings/plan-shown.ts';
import { clock, grouped, pageWidth, paragraph, percent } from '../text/figures.ts';
import { print, printText, remarkInterrupted, storedLines } from '../text/output.ts';
import { notesInWords, questionInWords } from '../text/findings/plan-words.ts';
import { printable } from '../text/printable.ts';
import { shownText } from '../text/shown-text.ts';
import type { WatchingJob } from '../watched.ts';

const own = z.object({ threads: z.int().min(1).max(1024).default(availableParallelism()) });

interface Flags extends ConfigFlags, OutFlags, WorkersFlags {
  readonly goal?: readonly string[];
  readonly within?: string;
  readonly machines?: string;
  readonly robots?: string;
  readonly bandwidth?: string;
  readonly delay?: string;
  readonly cost?: string;
  readonly vary?: string;
  readonly seedPage?: readonly string[];
  readonly cache?: string;
  readonly watch?: true;
}

export async function runPlan(name: string, flags: Flags): Promise<void> {
  const { config, policies, crawled } = await readConfigFor(name, flags);
  const { threads } = ownFlags(own, flags);
  checkWorkersFlags(flags);
  const ownNames = ['goal', 'within', 'machines', 'robots', 'bandwidth', 'delay', 'cost', 'vary'] as const;
  const typed = Object.fromEntries(ownNames.flatMap((flag) =>
    (flags[flag] === undefined ? [] : [[flag, flags[flag]]])));
  if (flags.printSchema === true) {
    printText(configSchemaText(policies.settings));
    return;
  }
  const file = /\.ya?ml$/i.test(name) ? await readPlanFile(name, policies) : undefined;
  const fields: WrittenRequest = { ...file?.written, ...typed };
  // The plan's own flags that settings have too are no settings here.
  const { experiment: joined, fitted } = await fittedExperiment(
    { ...flags, robots: undefined, bandwidth: undefined },
    { ...(crawled === undefined ? config : circumstances(config)), ...file?.experiment }, policies.settings,
    crawled && name,
  );
  if (flags.printConfig === true) {
    printText(await configText(joined, policies.settings));
    return;
  }
  // Before the graph is read, so that bad input is reported at once.
  requestOf(fields, joined);
  const signal = interruptSignal();
  const graphName = file?.graph ?? name;
  const job = { kind: 'plan', name: crawled ? basename(resolve(name)) : graphName, folder: flags.out, signal } as const;
  await runJob(flags.watch === true, job, 'plan.json', async (watching, folder): Promise<JobEnd> => {
    const graph = await namedGraph(crawled?.graph ?? graphName, crawled && basename(resolve(name)));
    const seedPages = seedPagesOf(graph, flags.seedPage);
    const request = requestOf(fields, { ...joined, ...(seedPages && { seedPages }) });
    const plan = await planned(graph, request, policies, watching, flags, {
      cache: flags.cache ?? studiesFolder(), workers: threads, fit: fitted?.fit,
    });
    if (plan === undefined)
      return { isWhole: false, isEmpty: true, printAnswer: () => { remarkInterrupted(unfinished); } };
    const commands = await commandsOf(plan, policies, {
      graph: crawled?.graph ?? graphName,
      // Files of settings have page numbers, and the flag has ids of the source.
      seedPages: flags.seedPage ?? (request.base.seedPages ?? []).map((page) => graph.sourceIds?.[page] ?? page),
    });
    const document = planDocument(plan, commands, codeVersion());
    await folder?.write('plan.json', `${JSON.stringify(document, null, 2)}\n`);
    await folder?.write('report.html', shownHtml(planReport(plan, commands, commandLine())));
    const printAnswer = (): void => { print(flags.json, () => document, () => planText(plan, commands, flags.out)); };
    return { isWhole: true, printAnswer };
  });
}

const unfinished =
  'interrupted before the plan was finished; its finished runs are stored: run the same command to go on';

async function planned(
  graph: WebGraph, request: PlanRequest, policies: PolicyRegistry, watching: WatchingJob, flags: Flags,
  options: TrialsOptions,
): Promise<Plan | undefined> {
  const { watch, signal } = watching;
  const board = new PlanBoard(request);
  if (watch !== undefined) watch.board = board.board;
  const making = withCrew(flags, watching, async ({ line, onRemark, workers }) => {
    line.show(() => `${graph.name}: ranking ${grouped(graph.pages)} pages`);
    const progressOf = estimate();
    return makePlan(prepare(graph), request, policies, {
      ...options, signal, onRemark, runner: workers?.runner,
      onTrial: (trial) => {
        const progress = progressOf(trial);
        line.show(() => progressText(progress, workers && crewInWords(workers.crew)));
        board.hear(trial);
        watch?.progress(progress);
      },
    });
  });
  const plan = await making.catch((error: unknown) => {
    if (!(error instanceof PlanInterrupted)) throw error;
  });
  if (plan) board.finish(plan);
  return plan ?? undefined;
}

/** The settings of a crawl that another crawl of the same web meets again; the others are what a plan chooses. */
function circumstances(config: ExperimentInput): ExperimentInput {
  const variables: readonly string[] = [...variable, 'maxPages', 'maxSeconds'];
  return Object.fromEntries(Object.entries(config).filter(([name]) => !variables.includes(name)));
}

/** The graph and the seed pages that a simulation of the set-up takes. */
interface Crawled {
  readonly graph: string;
  readonly seedPages: readonly (string | number)[];
}

/**
 * The lines that show the best set-up, and do it: with every setting of its runs, wherever the plan had it from. The
 * second leaves places for the URLs of seed pages and for the contact, which the user must fill in.
 */
async function commandsOf(
  { best, request: { base, goals, withinSeconds }, dataset }: Plan, policies: PolicyRegistry,
  { graph, seedPages }: Crawled,
): Promise<PlanCommands> {
  const { maxSeconds = Infinity, ...settings } = withPolicyFiles({ ...base, ...withoutDefaults(best.setUp) }, policies);
  const seconds = goals.length === 0 ? withinSeconds : best.seconds.high ?? best.seconds.mean;
  const limit = (us: number): string[] => {
    const limitSeconds = Math.min(Math.ceil(us / 1e6), maxSeconds);
    return limitSeconds === Infinity ? [] : ['--max-seconds', String(limitSeconds)];
  };
  // Pages count once they are observed, a superstep after their end at most, and its barrier.
  const { superstepMs, barrierUs } = policies.settings.parseExperiment(settings);
  const observedUs = goals.length === 0 ? 0 : superstepMs === 0 ? Infinity : 2 * 1000 * superstepMs + barrierUs;
  const seeds = seedPages.flatMap((page) => ['--seed-page', String(page)]);
  const live = Object.fromEntries(Object.entries(settings).filter(([name]) => !simulatedOnly.includes(name)));
  const words = (list: readonly string[]): string => list.map(shellWord).join(' ');
  const simulated = [...await simulatedFlags(settings), ...seeds, ...limit(1e6 * seconds + observedUs)];
  return {
    simulate: words(['orbweaver', 'simulate', graph, ...simulated]),
    crawl: `orbweaver crawl URL... --contact MAIL ${
      words([...flagsOf(live), ...limit(1e6 * seconds), '--out', `crawls/${dataset.name}`])
    }`,
  };
}

/** A fitted network is named by the crawl it was fitted to; what differs from it has its own flags. */
async function simulatedFlags(settings: ExperimentInput): Promise<string[]> {
  const { fit, ...network } = settings.network ?? {};
  if (fit === undefined) return flagsOf(settings);
  const fitted: Readonly<Record<string, unknown>> = (await fitNetwork(fit.file)).network;
  const changed = Object.fromEntries(Object.entries(network).filter(([name, value]) => value !== fitted[name]));
  return [...flagsOf({ ...settings, network: changed }), '--network', fit.file];
}

/**
 * Policies of the user by their files: a command line that names no file does not know them. Settings of policies that
 * are not used are left out.
 */
function withPolicyFiles(settings: ExperimentInput, policies: PolicyRegistry): ExperimentInput {
  const fileOf = (name: string): string => policies.factsOf(name)?.origin?.file ?? name;
  const { policy, policyOptions = {} } = settings;
  const used = policies.settings.policyOptionsUsed(settings);
  const options = Object.entries(policyOptions).filter(([option]) => used.includes(option)).map(([option, value]) => [
    option, typeof value !== 'object' ? value
      : Object.fromEntries(Object.entries(value).map(([name, weight]) => [fileOf(name), weight])),
  ]);
  return {
    ...settings, ...(policy !== undefined && { policy: fileOf(policy) }),
    policyOptions: Object.fromEntries(options) as typeof policyOptions,
  };
}

/** Defaults need no flag. */
function withoutDefaults({ partition, exchange, ...setUp }: Plan['best']['setUp']): ExperimentInput {
  return {
    ...setUp, ...(partition !== 'host-hash' && { partition }), ...(exchange !== 'bulk' && { exchange }),
  };
}

function planText(plan: Plan, commands: PlanCommands, out: string | undefined): string {
  const { shown: { paragraphs, tables } } = answerPart(plan, commands);
  const title = `Plan: ${questionInWords(plan)}`;
  const content = { paragraphs, tables: tables.slice(0, 1), charts: [] };
  return [
    ...shownText({ title, shown: content }).slice(1),
    '', 'Show it', ...commandLines(commands.simulate), 'Do it', ...commandLines(commands.crawl), '',
    ...notesInWords(plan).map((note) => paragraph(printable(note), '- ')),
    ...storedLines('Plan and report', out),
  ].join('\n');
}

/** A command in lines that a shell joins. */
function commandLines(command: string): string[] {
  const words = command.match(/(?:--[\w-]+ (?!-))?(?:'[^']*'|[^\s'])+/g) ?? [];
  const lines = ['  '];
  for (const word of words) {
    const last = lines.length - 1;
    const line = `${lines[last]}${lines[last].trim() === '' ? '' : ' '}${word}`;
    // Room for the backslash.
    if (line.length <= pageWidth - 2 || lines[last].trim() === '') lines[last] = line;
    else lines.push(`    ${word}`);
  }
  return lines.map((line, i) => (i < lines.length - 1 ? `${line} \\` : line));
}

/** How far a plan is, and the time left at the present rate. */
function estimate(): (done: TrialsDone) => JobProgress {
  const startedMs = performance.now();
  return ({ phase, done, asked, cached, simulatedPages, newPages, expectedPages }) => {
    const rate = newPages / (performance.now() - startedMs);
    const pagesLeft = expectedPages - simulatedPages;
    return {
      doing: phase, done, asked, cached,
      share: expectedPages > 0 ? Math.min(0.99, simulatedPages / expectedPages) : null,
      secondsLeft: rate > 0 && pagesLeft > 0 ? pagesLeft / rate / 1000 : null,
    };
  };
}

function progressText(
  { doing, done, asked, cached, share, secondsLeft }: JobProgress, where: string | undefined,
): string {
  const rest = secondsLeft === null ? '' : `, about ${clock(secondsLeft)} left`;
  const whole = share === null ? '' : ` (${percent(share)} of the plan)`;
  const on = where === undefined ? '' : ` on ${where}`;
  return `${doing}: ${grouped(done)} of ${grouped(asked)} runs${on}, ${grouped(cached)} from the cache${whole}${rest}`;
}

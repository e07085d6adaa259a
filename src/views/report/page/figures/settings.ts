/**
 * What is needed to judge and repeat the runs: settings, checksums, the command, and what the simulation leaves out.
 */
import { onlyRun, type ReportData, type ReportRun } from '../../data.ts';
import { element, outside, scrolling, table } from '../dom.ts';
import { counted, number } from '../format.ts';
import { runCell } from './figure.ts';
import { kindOfCrawl } from '../sentences.ts';

export function settings(data: ReportData): HTMLElement {
  const facts = data.runs.map(factsOf);
  const names = [...new Set(facts.flatMap((fact) => [...fact.keys()]))];
  const differing = names.filter((name) => new Set(facts.map((fact) => fact.get(name))).size > 1);
  const common = names.filter((name) => !differing.includes(name));
  const isDefault = (name: string): boolean => data.runs.every(({ defaults }) => defaults.includes(name));
  const list = (some: readonly string[]): HTMLElement => element('div', { class: 'settings' },
    element('dl', {}, ...some.map((name) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, outside(facts[0].get(name) ?? 'not set'))))));
  const defaults = common.filter(isDefault);
  return element('section', { id: 'settings' },
    element('h2', {}, data.runs.length === 1 ? 'Settings' : 'Settings of all runs'),
    list(common.filter((name) => !isDefault(name))),
    defaults.length === 0 ? null
      : element('details', { class: 'folded' },
          element('summary', {}, `${counted(defaults.length, 'setting')} at the default`), list(defaults)),
    ...(differing.length === 0 ? [] : [element('h2', {}, 'What differs'), differences(data, facts, differing)]));
}

function factsOf(run: ReportRun): Map<string, string> {
  const { pages, arcs, hosts } = run.dataset;
  return new Map([
    ['dataset', run.dataset.name],
    ['dataset SHA-256', run.dataset.sha256],
    ['pages, links, hosts', [pages, arcs, hosts].map((count) => number(count)).join(', ')],
    ...run.settings,
    ['replay hash', run.replayHash],
  ]);
}

function differences(data: ReportData, facts: readonly Map<string, string>[], names: readonly string[]): HTMLElement {
  const isChecksum = (name: string): boolean => name === 'replay hash' || name === 'dataset SHA-256';
  return scrolling('scroll', table('', ['run', ...names], facts.map((fact, i) => [
    runCell(data, i),
    ...names.map((name) =>
      isChecksum(name) ? element('code', {}, fact.get(name) ?? '') : outside(fact.get(name) ?? 'not set')),
  ])));
}

export function reproduce(data: ReportData): HTMLElement | null {
  if (data.command === null) return null;
  return element('section', {},
    element('h2', {}, 'To reproduce'),
    element('pre', {}, data.command),
    data.runs.every((run) => kindOfCrawl(run) === 'live') ? null : element('p', {},
      'The same graph, settings and seed give a simulation the same replay hash on any machine, with any number of ' +
        'threads and any queue except one in approximate slices.'),
    memory(onlyRun(data)));
}

/** Memory of the only run of a report; with several runs, each measurement would include the runs before it. */
function memory(run: ReportRun | undefined): HTMLElement | null {
  const memory = run?.memory ?? null;
  return memory && element('p', {},
    `Peak memory: ${number(memory.peakResidentBytes / 1e6)} MB (${number(memory.graphBytesPerArc, 2)} bytes ` +
      `per link in one direction, ${number(memory.stateBytesPerPage, 1)} per known page (${number(memory.pagesKnown)}), excluding queues).`);
}

/** Null if all runs are crawls of real hosts, which are not models. */
export function limits({ runs }: ReportData): HTMLElement | null {
  if (runs.every((run) => kindOfCrawl(run) === 'live')) return null;
  return element('section', {},
    element('h2', {}, 'What is modelled and what is not'),
    element('p', {},
      'Modelled: the scheduler and the queues themselves, not substitutes for them; a latency and a bandwidth for each ' +
        'host and a size for each page (stored sizes if the graph has them), drawn once from the seed; the bandwidth of a ' +
        'processor; one download at a time from a host and the delay after it; supersteps, and their barriers at a cost of L + g h. ' +
        'If the settings ask for it: resolving names and opening connections, pages that are missing or denied, requests that fail, ' +
        'hosts that are down or slow for a while, pauses that hosts ask for, robots that hang, processors that crash.'),
    element('p', {},
      'Not modelled: pages that change, redirects, hosts that slow down under load, links of a page that is ' +
        'missing: pages linked only from there stay unknown. The work of queues and scheduler takes no virtual time: it is counted, and can be priced ' +
        'afterwards. The web here is a stored graph that ends where its crawl ended; its PageRank is that of the stored graph alone.'));
}

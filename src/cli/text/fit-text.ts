import type { FittedNetwork } from '../../core/engine/index.ts';
import { counted, decimal, grouped, paragraph, percent } from './figures.ts';
import { printable } from './printable.ts';
import { headedTable } from './text-table.ts';

type Quantity = keyof FittedNetwork['fit']['goodness'];

export function fitFacts({ fit: { counts, goodness } }: FittedNetwork) {
  return { counts, goodness };
}

/** A sentence about times that the log lacks; '' if none. */
function firstBytes({ answers, separatedBySizes }: FittedNetwork['fit']['counts']): string {
  if (separatedBySizes === 0) return '';
  if (separatedBySizes === answers)
    return ' The log has no time of the first byte: latency and bandwidth were separated by sizes.';
  return ` ${grouped(separatedBySizes)} of ${counted(answers, 'answer')} ${separatedBySizes === 1 ? 'has' : 'have'} no time of the first byte: there latency and bandwidth were separated by sizes.`;
}

export function fitText({ fit, network: { fit: source } }: FittedNetwork): string {
  const { counts, goodness, network } = fit;
  const failures = [
    counts.timeouts > 0 && `${counted(counts.timeouts, 'time-out')} (${decimal(counts.late, 1)} of slow answers, the others lost)`,
    counts.refused > 0 && `${grouped(counts.refused)} refused`,
    counts.serverErrors > 0 && counted(counts.serverErrors, 'server error'),
    counts.notFound > 0 && `${grouped(counts.notFound)} not found or rejected`,
    counts.denied > 0 && `${grouped(counts.denied)} denied`,
  ].filter((text) => text !== false);
  const rate = (bytes: number): string => (bytes === 0 ? 'no limit' : `${grouped(Math.round(bytes))} B/s`);
  const ms = (value: number): string => `${decimal(value, value < 10 ? 2 : 1)} ms`;
  const rows: readonly (readonly [Quantity, string, string, number])[] = [
    ['hostLatency', 'latency of hosts', ms(network.latencyMs), network.latencySigma],
    ['requestLatency', 'single requests around it', '', network.latencyJitterSigma],
    ['hostBandwidth', 'bandwidth of hosts', rate(network.bandwidthBytesPerSecond), network.bandwidthSigma],
    ['hostConnection', 'connection', ms(network.connectMs), network.latencySigma],
    ['pageSize', 'page size', `${grouped(Math.round(network.pageBytes))} B`, network.pageBytesSigma],
  ];
  return [
    paragraph(
      `Network fitted to ${printable(source?.file ?? '')}: ${counted(counts.requests, 'request')} to ` +
        `${counted(counts.hosts, 'host')}, ${counted(counts.fetched, 'page')} fetched` +
        `${failures.length === 0 ? '' : `; ${failures.join(', ')}`}.` +
        firstBytes(counts),
    ),
    headedTable(
      ['fitted, log-normal', 'median', 'sigma', 'observations', 'distance', 'by chance up to'],
      rows.filter(([name]) => goodness[name].observations > 0).map(([name, label, median, sigma]) => {
        const { observations, distance, chance } = goodness[name];
        return [label, median, decimal(sigma, 3), grouped(observations), decimal(distance, 3), decimal(chance, 3)];
      }),
      ['left', 'right', 'right', 'right', 'right', 'right'],
    ),
    paragraph(
      `Failing attempts: ${percent(network.refusedShare)} refused, ${percent(network.serverErrorShare)} server errors, ` +
        `${percent(network.timeoutShare)} lost. The distance is that of Kolmogorov and Smirnov.`,
    ),
  ].join('\n');
}

import { z } from 'zod';
import { amount, share } from './ranges.ts';

export const bandwidthModels = ['fixed', 'fluid'] as const;
export const networkPresetNames = ['lan', 'broadband', 'web', 'hostile'] as const;

// The least index at which a tail has no infinite draw to speak of, and a share that leaves the median to the body.
const tailIndex = () => z.number().min(1).max(100).default(1.2);
const tailShare = () => z.number().min(0).max(0.5).default(0);

/**
 * The simulated network; `src/simulation/README.md` tells what each number does, and where those of the presets come
 * from.
 */
export const networkSchema = z.strictObject({
  preset: z.enum(networkPresetNames).optional().describe('network that gives what is not set here'),
  latencyMs: amount(1e6).default(150).describe('median latency of hosts, milliseconds'),
  latencySigma: amount(5).default(0.5).describe('sigma of the log-normal latency'),
  latencyTailShare: tailShare().describe('share of hosts, the slowest, whose latency follows Pareto\'s law'),
  latencyTailIndex: tailIndex().describe('Pareto index of that tail'),
  bandwidthBytesPerSecond: amount(1e12).default(1e6).describe('median bandwidth of hosts, bytes a second; 0 = no limit'),
  bandwidthSigma: amount(5).default(0.7).describe('sigma of the log-normal bandwidth'),
  bandwidthTailShare: tailShare().describe('share of hosts, the slowest, whose bandwidth follows Pareto\'s law'),
  bandwidthTailIndex: tailIndex().describe('Pareto index of that tail'),
  processorBandwidthBytesPerSecond: amount(1e12).default(12.5e6).describe('bandwidth of a processor, bytes a second; 0 = no limit'),
  bandwidthModel: z.enum(bandwidthModels).default('fixed')
    .describe('a download keeps the share of it that it began with, or shares change as downloads begin and end'),
  dnsMs: amount(1e6).default(0).describe('median time of resolving a host\'s name, once a processor, milliseconds'),
  connectMs: amount(1e6).default(0).describe('median time of setting up a connection to a host, milliseconds'),
  keepAliveSeconds: amount(1e6).default(0).describe('virtual seconds that a connection stays open after a download'),
  pageBytes: amount(1e9).default(15_000).describe('median page size where the graph knows none, bytes'),
  pageBytesSigma: amount(5).default(1).describe('sigma of the log-normal page size'),
  pageBytesTailShare: tailShare().describe('share of pages, the largest, whose size follows Pareto\'s law'),
  pageBytesTailIndex: tailIndex().describe('Pareto index of that tail'),
  notFoundShare: share().describe('share of pages that are not there'),
  errorBytes: amount(1e9).default(2400).describe('bytes of an answer that says so, or that tells of a server error'),
  serverErrorShare: share().describe('share of attempts that meet a server error'),
  timeoutShare: share().describe('share of attempts that are never answered'),
  refusedShare: share().describe('share of attempts whose connection is refused'),
  hangShare: share().describe('share of attempts whose robot hangs'),
  hangSeconds: amount(1e6).default(300).describe('virtual seconds that a robot hangs'),
  timeoutMs: z.number().positive().max(4e6).default(20_000).describe('longest wait for an answer to begin, milliseconds'),
  retryAfterShare: share().describe('share of server errors that ask for a pause (Retry-After)'),
  retryAfterSeconds: amount(1e6).default(120).describe('virtual seconds that they ask for'),
  downShare: share().describe('share of its time that a host is down: connections are refused'),
  downSeconds: z.number().min(1e-3).max(1e9).default(600).describe('virtual seconds that it is down at a time'),
  slowShare: share().describe('share of its time that a host is slow'),
  slowSeconds: z.number().min(1e-3).max(1e9).default(300).describe('virtual seconds that it is slow at a time'),
  slowFactor: z.number().min(1).max(1000).default(5).describe('how many times as long a slow host takes'),
  robotsTxtShare: share().describe('share of hosts with a robots.txt, which a processor fetches first'),
  robotsTxtBytes: amount(1e9).default(1000).describe('bytes of a robots.txt'),
  crawlDelayShare: share().describe('share of these hosts that ask for a Crawl-delay'),
  crawlDelaySeconds: amount(1e6).default(10).describe('virtual seconds that they ask for'),
  deniedShare: share().describe('share of the pages of these hosts that their robots.txt denies'),
  crashSeconds: amount(1e9).default(0).describe('mean virtual seconds between crashes of a processor; 0 = none'),
  restartSeconds: amount(1e9).default(30).describe('virtual seconds from a crash until the processors go on from their last checkpoint'),
}).superRefine((network, context) => {
  const shares = (['serverErrorShare', 'timeoutShare', 'refusedShare', 'hangShare'] as const).map((name) => ({
    name, share: network[name],
  }));
  const sum = shares.reduce((total, { share: one }) => total + one, 0);
  if (sum <= 1) return;
  const greatest = shares.reduce((most, one) => (one.share > most.share ? one : most));
  context.addIssue({
    code: 'custom',
    path: [greatest.name],
    message: `shares of server errors, time-outs, refused connections and hangs must sum to at most 1, not ${Number(sum.toFixed(6))}`,
  });
});

export type NetworkInput = z.input<typeof networkSchema>;

import * as z from 'zod';
import { amount, between, sha256, share } from './ranges.ts';

export const bandwidthModels = ['fixed', 'fluid'] as const;
export const networkPresetNames = ['lan', 'broadband', 'web', 'hostile'] as const;

// The smallest index at which draws from a tail stay finite in practice, and a share that leaves the median alone.
const tailIndex = () => between(1, 100).default(1.2);
const tailShare = () => amount(0.5).default(0);

/** The simulated network; `src/core/simulation/README.md` explains each number, and the presets' sources. */
export const networkSchema = z.strictObject({
  preset: z.enum(networkPresetNames).optional().describe('network preset; the settings of single values override it'),
  latencyMs: amount(1e6).default(150).describe('median latency of hosts, milliseconds'),
  latencySigma: amount(5).default(0.5).describe('sigma of the log-normal latency'),
  latencyTailShare: tailShare().describe('share of hosts, the slowest, whose latency follows a Pareto distribution'),
  latencyTailIndex: tailIndex().describe('Pareto index of that tail'),
  latencyJitterSigma: amount(5).default(0)
    .describe('sigma of the log-normal variation of single requests around the latency of their host'),
  bandwidthBytesPerSecond: amount(1e12)
    .default(1e6)
    .describe('median bandwidth of hosts, bytes per second; 0 = no limit'),
  bandwidthSigma: amount(5).default(0.7).describe('sigma of the log-normal bandwidth'),
  bandwidthTailShare: tailShare().describe('share of hosts, the slowest, whose bandwidth follows a Pareto distribution'),
  bandwidthTailIndex: tailIndex().describe('Pareto index of that tail'),
  processorBandwidthBytesPerSecond: amount(1e12).default(12.5e6)
    .describe('bandwidth per processor, bytes per second; 0 = no limit'),
  bandwidthModel: z.enum(bandwidthModels).default('fixed')
    .describe('share of the bandwidth that a download gets: the one at its start, or one that changes as downloads start and end'),
  dnsMs: amount(1e6).default(0).describe('median time to resolve a host name, once per processor, milliseconds'),
  connectMs: amount(1e6).default(0).describe('median time to open a connection, milliseconds'),
  keepAliveSeconds: amount(1e6).default(0).describe('how long a connection stays open after a download, virtual seconds'),
  pageBytes: amount(1e9).default(15_000).describe('median page size where the graph has no sizes, bytes'),
  pageBytesSigma: amount(5).default(1).describe('sigma of the log-normal page size'),
  pageBytesTailShare: tailShare().describe('share of pages, the largest, whose size follows a Pareto distribution'),
  pageBytesTailIndex: tailIndex().describe('Pareto index of that tail'),
  notFoundShare: share().describe('share of pages that do not exist'),
  errorBytes: amount(1e9).default(2400).describe('size of the response for a missing page or a server error, bytes'),
  serverErrorShare: share().describe('share of attempts that end in a server error'),
  timeoutShare: share().describe('share of attempts that time out'),
  refusedShare: share().describe('share of attempts whose connection is refused'),
  hangShare: share().describe('share of attempts that hang their robot'),
  hangSeconds: amount(1e6).default(300).describe('how long a robot hangs, virtual seconds'),
  timeoutMs: z.number().positive().max(4e6).default(20_000)
    .describe('maximum wait for a response to start, milliseconds'),
  hostsPerAddress: between(1, 1e6).default(1)
    .describe('hosts that share an address, on average, where a fitted crawl does not know their addresses'),
  addressDelayMs: amount(86_400_000).default(0)
    .describe('delay between downloads from the same address, one at a time, milliseconds; 0 = only hosts count'),
  retryAfterShare: share().describe('share of server errors that ask for a pause by Retry-After'),
  retryAfterSeconds: amount(1e6).default(120).describe('length of that pause, virtual seconds'),
  downShare: share().describe('share of the time that a host is down: connections are refused'),
  downSeconds: between(1e-3, 1e9).default(600).describe('length of an outage, virtual seconds'),
  slowShare: share().describe('share of the time that a host is slow'),
  slowSeconds: between(1e-3, 1e9).default(300).describe('length of a slow period, virtual seconds'),
  slowFactor: between(1, 1000).default(5).describe('factor by which downloads from a slow host take longer'),
  robotsTxtShare: share().describe('share of hosts with a robots.txt, which a processor fetches first'),
  robotsTxtBytes: amount(1e9).default(1000).describe('size of a robots.txt, bytes'),
  crawlDelayShare: share().describe('share of these hosts that set a Crawl-delay'),
  crawlDelaySeconds: amount(1e6).default(10).describe('length of that delay, virtual seconds'),
  deniedShare: share().describe('share of the pages of these hosts that robots.txt denies'),
  crashSeconds: amount(1e9).default(0).describe('mean time between crashes of a processor, virtual seconds; 0 = none'),
  restartSeconds: amount(1e9).default(30)
    .describe('time from a crash until the processors resume from their last checkpoint, virtual seconds'),
  fit: z
    .strictObject({
      file: z.string().describe('run.json of the crawl'),
      sha256: sha256.describe('SHA-256 of that file, in hexadecimal'),
    })
    .optional()
    .describe('the finished crawl that the network was fitted to, and the checksum of the fit'),
}).superRefine((network, context) => {
  const names = ['serverErrorShare', 'timeoutShare', 'refusedShare', 'hangShare'] as const;
  const sum = names.reduce((total, name) => total + network[name], 0);
  if (sum <= 1) return;
  context.addIssue({
    code: 'custom',
    path: [names.reduce((greatest, name) => (network[name] > network[greatest] ? name : greatest))],
    message: `shares of server errors, time-outs, refused connections and hangs must sum to at most 1, not ${Number(sum.toFixed(6))}`,
  });
});

export type NetworkInput = z.input<typeof networkSchema>;
/** The numbers of the simulated network. */
export type NetworkOptions = Omit<
  z.output<typeof networkSchema>, 'preset' | 'fit' | 'crashSeconds' | 'restartSeconds'
>;

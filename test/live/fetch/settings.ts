import { liveSchema, type LiveInput, type LiveSettings } from '../../../src/live/settings.ts';

/** Settings of a crawl on loopback, where every name is at `port`; time-outs small, so that tests are. */
export function loopbackSettings(port: number | undefined, input: Partial<LiveInput> = {}): LiveSettings {
  return liveSchema.parse({
    contact: 'mailto:crawl@example.org',
    allowNetworks: ['127.0.0.0/8'],
    resolve: [{ host: '*', address: '127.0.0.1', port }],
    connectTimeoutMs: 5000, headersTimeoutMs: 600, bodyTimeoutMs: 600, downloadTimeoutMs: 5000, bodyLimitBytes: 100_000,
    ...input,
  });
}

import { liveSchema, type LiveInput, type LiveSettings } from '../../../src/core/live/settings.ts';

/**
 * Settings of a crawl on loopback, where every name is at `port`. Time-outs are far beyond what a busy machine takes: a
 * test of one sets that one.
 */
export function loopbackSettings(port: number | undefined, input: Partial<LiveInput> = {}): LiveSettings {
  return liveSchema.parse({
    contact: 'mailto:crawl@example.org',
    allowNetworks: ['127.0.0.0/8'],
    resolve: [{ host: '*', address: '127.0.0.1', port }],
    connectTimeoutMs: 40_000, headersTimeoutMs: 40_000, bodyTimeoutMs: 40_000, downloadTimeoutMs: 40_000,
    bodyLimitBytes: 100_000,
    ...input,
  });
}

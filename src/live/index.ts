export { faultOutcomes, header, type Answer, type Fault, type FaultReason } from './http/answer.ts';
export { type Wants } from './http/download.ts';
export { Fetcher, type FetcherOptions } from './http/fetcher.ts';

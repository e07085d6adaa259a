export function orbweaver(): Promise<typeof import('../dist/index.js')>;
export function bench(): Promise<typeof import('../dist/bench/index.js')>;
export function crawl(): Promise<typeof import('../dist/crawl.js')>;
export function service(): Promise<typeof import('../dist/service/index.js')>;
export function settings(): Promise<typeof import('../dist/settings/index.js')>;
export function plot(): Promise<typeof import('@observablehq/plot')>;

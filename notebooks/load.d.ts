export function orbweaver(): Promise<typeof import('../dist/index.js')>;
export function bench(): Promise<typeof import('../dist/questions/bench/index.js')>;
export function crawl(): Promise<typeof import('../dist/crawl.js')>;
export function service(): Promise<typeof import('../dist/views/service/index.js')>;
export function settings(): Promise<typeof import('../dist/core/settings/index.js')>;
export function plot(): Promise<typeof import('@observablehq/plot')>;

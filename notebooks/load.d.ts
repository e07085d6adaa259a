export function orbweaver(): Promise<typeof import('../dist/index.js')>;
export function plot(): Promise<typeof import('@observablehq/plot')>;

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ReportData } from '../../src/views/report/index.ts';
import { reportHtml } from '../../src/views/report/index.ts';
import { hostileNames } from './hostile.ts';
import { madeRun } from './made-run.ts';

function embedded(html: string): string {
  return /<script type="application\/json" id="report-data">(.*?)<\/script>/s.exec(html)![1];
}

describe('report.html', () => {
  test.each(hostileNames)('holds %j as text, whatever field it comes in', (name) => {
    const result = madeRun({ host: name, dataset: name, experiment: { [name]: name } });
    const html = reportHtml([{ label: name, result }], { title: name, command: name });
    const json = embedded(html);
    expect(json).not.toMatch(/[<>&\u2028\u2029]/);
    const data = JSON.parse(json) as ReportData;
    expect(data.title).toBe(name);
    expect(data.command).toBe(name);
    expect(data.runs[0].label).toBe(name);
    expect(data.runs[0].dataset.name).toBe(name);
    expect(data.runs[0].summary.lowerBoundHost).toBe(name);
    // One element for the data, one for the script, and no others: nothing of a name became markup.
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.match(/<\/script/g)).toHaveLength(2);
    const head = html.slice(0, html.indexOf('<script'));
    expect(head).not.toMatch(/<img|<svg|<!--/);
  });

  test('lets its own script run, by its hash, and nothing be loaded or sent', () => {
    const html = reportHtml([{ label: 'a', result: madeRun() }], { title: 'a' });
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)![1];
    const script = /<script>(.*?)<\/script>/s.exec(html)![1];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(policy).not.toMatch(/connect-src|img-src|https?:/);
    expect(html.slice(0, html.indexOf('<script'))).not.toMatch(/(?:src|href)=/);
  });

  test('does not grow with the run', () => {
    const size = (pages: number, supersteps: number, runs: number) => {
      const result = madeRun({ pages, supersteps, processors: 8 });
      const labelled = Array.from({ length: runs }, (_, i) => ({ label: `run ${i}`, result }));
      return Buffer.byteLength(reportHtml(labelled, { title: 'size' }));
    };
    expect(size(20_000, 400, 1)).toBeLessThan(600_000);
    expect(size(20_000, 400, 5)).toBeLessThan(1_000_000);
    expect(size(200_000, 2000, 5)).toBeLessThan(1_000_000);
    expect(size(20_000, 400, 50)).toBeLessThan(1_500_000);
  });

  test('the same run gives the same file', () => {
    const make = () => reportHtml([{ label: 'a', result: madeRun() }], { title: 'a' });
    expect(make()).toBe(make());
  });
});

import { describe, expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import { GrowingDegrees, type DegreeCount } from '../../../src/graphs/graph/growing/index.ts';

/** How many pages have each degree, by counting them all. */
function countsOf(degrees: readonly number[]): DegreeCount[] {
  return [...new Set(degrees)].sort((a, b) => a - b)
    .map((degree) => ({ degree, pages: degrees.filter((own) => own === degree).length }));
}

describe('degrees of a growing graph', () => {
  test('are those of all arcs, after each page and each arc', () => {
    const stream = new DrawStream(1, 'degrees');
    const growing = new GrowingDegrees(3);
    const out = [0, 0, 0];
    const into = [0, 0, 0];
    for (let step = 0; step < 400; step++) {
      const [source, target] = [stream.uint32(step) % out.length, stream.uint32(step, 1) % out.length];
      if (stream.uint32(step, 2) % 4 === 0) {
        growing.addPages(1);
        out.push(0);
        into.push(0);
      } else {
        growing.addArc(source, target);
        if (source !== target) {
          out[source]++;
          into[target]++;
        }
      }
      expect(growing.outDegrees()).toEqual(countsOf(out));
      expect(growing.inDegrees()).toEqual(countsOf(into));
      expect(growing.dangling).toBe(out.filter((degree) => degree === 0).length);
      expect(growing.pages).toBe(out.length);
      expect(growing.arcs).toBe(out.reduce((sum, degree) => sum + degree, 0));
    }
    expect(out.map((_, page) => growing.outDegreeOf(page))).toEqual(out);
    expect(into.map((_, page) => growing.inDegreeOf(page))).toEqual(into);
  });

  test('a loop changes nothing, a repeated arc counts again', () => {
    const growing = new GrowingDegrees(2);
    growing.addArc(0, 0);
    expect([growing.arcs, growing.dangling]).toEqual([0, 2]);
    growing.addArc(0, 1);
    growing.addArc(0, 1);
    expect(growing.outDegrees()).toEqual([{ degree: 0, pages: 1 }, { degree: 2, pages: 1 }]);
    expect([growing.arcs, growing.dangling]).toEqual([2, 1]);
  });

  test('a page that is not there yet is refused', () => {
    const growing = new GrowingDegrees(2);
    expect(() => { growing.addArc(0, 2); }).toThrow('arc 0 -> 2: page 2 is not from 0 to 1');
    growing.addPages(1);
    growing.addArc(0, 2);
    expect(growing.inDegreeOf(2)).toBe(1);
  });
});

import { expect, test } from 'vitest';
import { PageStates } from '../../src/core/frontier/index.ts';
import { PageIndex } from '../../src/base/index.ts';

test('entries of a page are counted in and out of the queue', () => {
  const frontier = new PageStates(new PageIndex());
  const local = frontier.know(7);
  expect(frontier.left(local)).toBe(false);
  for (let i = 0; i < 3; i++) frontier.entered(local, i, i);
  for (let i = 0; i < 3; i++) expect(frontier.left(local)).toBe(true);
  expect(frontier.left(local)).toBe(false);
  expect(frontier.left(local + 1)).toBe(false);
});

test('beyond 65,535 entries of a page they are no longer counted, and nothing is refused', () => {
  const frontier = new PageStates(new PageIndex());
  const local = frontier.know(7);
  for (let i = 0; i < 70_000; i++) frontier.entered(local, i, i);
  let left = 0;
  while (left < 70_000 && frontier.left(local)) left++;
  expect(left).toBe(70_000);
});

test('a page takes no more than its arrays and their spare room; the index takes 4 bytes a page id', () => {
  const index = new PageIndex(300_000);
  const frontier = new PageStates(index);
  for (let page = 0; page < 100_000; page++) frontier.know(3 * page);
  // 4 for the id, 15 for what is known of it, an eighth more at most.
  expect(frontier.bytes / 100_000).toBeGreaterThanOrEqual(19);
  expect(frontier.bytes / 100_000).toBeLessThan(19 * 1.125 + 0.1);
  expect(index.bytes).toBe(4 * 300_000);
});

test('a page index finds what was set, and grows for ids beyond its room', () => {
  const index = new PageIndex(4);
  expect([index.find(3), index.find(1000)]).toEqual([-1, -1]);
  index.set(1000, 0);
  index.set(3, 1);
  expect([index.find(3), index.find(1000), index.find(999), index.find(5000)]).toEqual([1, 0, -1, -1]);
});

import { expect, test } from 'vitest';
import { remembering } from '../../src/base/index.ts';

// Goal: the same results as without, each computed once until there are too many.

test('a function remembers its results, undefined too, until there are too many', () => {
  const asked: string[] = [];
  const length = remembering(2, (text) => {
    asked.push(text);
    return text === '' ? undefined : text.length;
  });
  expect(['a', '', 'a', ''].map(length)).toEqual([1, undefined, 1, undefined]);
  expect(asked).toEqual(['a', '']);
  expect(['bbb', 'bbb', 'a'].map(length)).toEqual([3, 3, 1]);
  expect(asked).toEqual(['a', '', 'bbb', 'a']);
});

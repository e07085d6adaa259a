import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CollapsedText, unitsOf } from '../../../src/base/web/text/collapsed-text.ts';
import { elementAt } from '../../../src/base/web/text/elements.ts';
import { tries } from '../../sweep.ts';

// Goal: lines are what regular expressions make of the joined pieces; names of elements are read in either case alone.

const spaces = '\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
const unit = fc.oneof(
  fc.constantFrom(...Array.from(spaces), ' ', ' ', ' '),
  fc.constantFrom('a', 'b', '\0', '\u0008', '\u001f', '\u009f', 'é', 'ÿ'),
  fc.constantFrom('—', '\u180e', '\u200b', '\u2060', '😀', '\ud800', '\udc00'),
);
const piece = fc.string({ unit, maxLength: 12 });
const collapsed = (text: string): string => text.replace(/\s+/g, ' ').replace(/^ | $/g, '');

describe('collapsed text', () => {
  test('has the lines that end with words', () => {
    fc.assert(fc.property(fc.array(fc.array(piece, { maxLength: 6 }), { maxLength: 6 }), (lines) => {
      const text = new CollapsedText();
      const lengths = lines.map((pieces) => {
        for (const some of pieces) expect(text.add(unitsOf(some), Infinity)).toBe(true);
        return text.endLine();
      });
      const expected = lines.map((pieces) => collapsed(pieces.join('')));
      expect(lengths).toEqual(expected.map(({ length }) => length));
      expect(text.lines()).toBe(expected.filter((line) => line !== '').map((line) => `${line}\n`).join(''));
    }), { numRuns: tries(1000) });
  });

  test('has parts of texts, and grows', () => {
    const text = new CollapsedText();
    for (let i = 0; i < 5000; i++) text.add(unitsOf('x 0123456789 y'), Infinity, 1, 13);
    text.endLine();
    expect(text.lines()).toBe(`${Array.from({ length: 5000 }, () => '0123456789').join(' ')}\n`);
  });

  test('is cut at so many units, not within a character', () => {
    fc.assert(fc.property(fc.array(piece, { maxLength: 6 }), fc.nat(20), (pieces, most) => {
      const text = new CollapsedText();
      const isWhole = pieces.map((some) => text.add(unitsOf(some), most)).every(Boolean);
      text.endLine();
      const line = text.lines().slice(0, -1);
      const all = collapsed(pieces.join(''));
      expect(line.length).toBeLessThanOrEqual(most);
      if (isWhole) expect(line).toBe(all);
      else expect(all.length).toBeGreaterThan(line.length);
    }), { numRuns: tries(1000) });
    const text = new CollapsedText();
    expect([text.add(unitsOf('ab😀'), 3), text.length]).toEqual([false, 2]);
  });

  test('separates words once, and drops lines', () => {
    const text = new CollapsedText();
    text.separate(9);
    text.add(unitsOf('a'), 9);
    text.separate(9);
    text.separate(9);
    text.add(unitsOf('b'), 9);
    text.separate(3);
    expect([text.length, text.endLine(2), text.count]).toEqual([3, 3, 0]);
    text.add(unitsOf('c'), 9);
    text.dropLine();
    text.add(unitsOf('d'), 9);
    expect([text.endLine(), text.count, text.lines()]).toEqual([1, 1, 'd\n']);
  });

  test('has lines with heads, and grows with them', () => {
    const text = new CollapsedText(true);
    for (let i = 0; i < 5000; i++) {
      if (i % 3 > 0) text.add(unitsOf('a b'), 9);
      text.endLine(9, 'x'.charCodeAt(0));
    }
    expect([text.lines(), text.endedChars]).toEqual(['xa b\n'.repeat(3333), 5 * 3333]);
  });

  test('is read by its units', () => {
    fc.assert(fc.property(piece, (text) => {
      expect([...unitsOf(text)]).toEqual(Array.from(text.split(''), (unit) => unit.charCodeAt(0)));
    }));
  });
});

describe('an element', () => {
  const nameAt = (name: string): string => elementAt(unitsOf(`<${name}>`), 1, 1 + name.length).name;

  test('is named in either case of ASCII', () => {
    for (const name of ['a', 'h1', 'h6', 'p', 'title', 'figcaption', 'textarea', 'link', 'iframe'])
      expect([nameAt(name), nameAt(name.toUpperCase())]).toEqual([name, name]);
  });

  test('is no other name', () => {
    // A control character and Unicode's Kelvin sign, which other foldings take for a digit and a letter.
    for (const name of ['', 'b', 'h7', 'h\u0011', 'lin\u212a', 'titles', 'itle', 'tilte', 'x-p', 'p\u0000'])
      expect(nameAt(name)).toBe('');
    fc.assert(fc.property(fc.string({ maxLength: 11 }), (name) => {
      const found = nameAt(name);
      expect(found === '' || found === name.toLowerCase()).toBe(true);
    }), { numRuns: tries(1000) });
  });
});

import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { shownHtml, type Chart, type Shown, type ShownReport } from '../../src/views/report/index.ts';
import { hostileNames } from '../report/hostile.ts';
import { chromiumIsHere, chromiumPath } from './chromium.ts';
import { reportsInBrowser } from './opened.ts';

if (!chromiumIsHere()) console.log(`Skipped: no browser at ${chromiumPath}; set CHROMIUM to the path of one.`);

const axes = {
  x: { label: 'R, entries of a batch', scale: 'log' }, y: { label: 'ns an entry', scale: 'log' },
} as const;
const blocks = [16, 32, 64, 128];

function chart(title: string, names: readonly string[], isSynthetic = false): Chart {
  return {
    title, isSynthetic, ...axes,
    series: names.map((name, i) => ({ name, points: blocks.map((x) => ({ x, y: 10 * (i + 1) + x / 8 })) })),
  };
}

const alone: Shown = {
  paragraphs: ['Two structures.'],
  tables: [
    {
      name: 'a-table',
      caption: 'By structure',
      sections: 1,
      columns: [{ name: 'structure' }, { name: 'what' }, { name: 'ns', digits: 1 }],
      rows: [
        ['heap', 'in', 1234.56], ['heap', 'out', null], ['tree', 'in', 2],
      ],
    },
  ],
  charts: [
    {
      ...chart('Time', []),
      series: [
        {
          name: 'heap',
          points: [
            { x: 16, y: 10 }, { x: 64, y: 20 }, { x: 256, y: 200, isModelled: true },
          ],
        },
        {
          name: 'heap, in the paper',
          isReference: true,
          points: [
            { x: 16, y: 50 }, { x: 256, y: 1000 },
          ],
        },
        // What has no logarithm is left out.
        {
          name: 'nothing',
          points: [
            { x: 0, y: 1 }, { x: 16, y: 0 },
          ],
        },
      ],
    },
  ],
  notes: ["Nothing is known of the paper's axes."],
};

const several: Shown = {
  paragraphs: ['Ten queues.'],
  tables: [],
  charts: [
    chart('real', ['a', 'b']), chart('drawn', Array.from('abcdefghij'), true), { ...chart('none', []), title: 'empty' },
  ],
};

function report(parts: readonly Shown[], rest: Partial<ShownReport> = {}): ShownReport {
  return {
    title: 'Measured',
    circumstances: ['On a machine.'],
    warning: null,
    command: 'orbweaver bench queues',
    notes: ['Times travel badly.'],
    parts: parts.map((shown, i) => ({ name: `part-${i}`, title: `Part ${i}`, shown })),
    ...rest,
  };
}

/**
 * What `read` (JavaScript, of `one`) gives for each element. As text: what runs in the page is not of this program,
 * which knows no document.
 */
function each<T>(page: Page, selector: string, read: string): Promise<T[]> {
  return page.evaluate<T[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => ${read})`);
}

// Goal: the report of a measurement draws itself anywhere, alone, and shows what was measured and nothing that a name
// says.
describe.skipIf(!chromiumIsHere())('the report of a measurement in a browser', () => {
  const inBrowser = reportsInBrowser();
  const opened = (
    shown: ShownReport, look: (page: Page) => Promise<void>, options?: BrowserContextOptions,
  ): Promise<void> => inBrowser(shownHtml(shown), look, options);

  test('more than three parts have a table of contents', async () => {
    await opened(report([alone, alone, alone, alone]), async (page) => {
      expect(await each(page, '.contents a', "one.getAttribute('href')"))
        .toEqual(['#part-0', '#part-1', '#part-2', '#part-3']);
    });
  });

  test('sentences, tables, charts and notes, part by part; no error, no request', async () => {
    await opened(report([alone, several]), async (page) => {
      const said = await page.locator('main').innerText();
      for (const text of [
        'Measured', 'On a machine.', 'orbweaver bench queues', 'Two structures.', 'Nothing is known of',
        'Times travel badly.',
      ]) {
        expect(said).toContain(text);
      }
      expect(/NaN|undefined|Infinity|\[object/.exec(said)?.[0]).toBeUndefined();
      expect(await page.locator('section.measured').count()).toBe(2);
      expect(await page.locator('.contents').count()).toBe(0);
      for (const drawing of await page.locator('svg.drawing').all()) {
        expect(await drawing.locator('[aria-label="x-axis label"] text').textContent()).toContain(
          'R, entries of a batch',
        );
        expect(await drawing.locator('[aria-label="y-axis label"] text').textContent()).toContain('ns an entry');
      }
    });
  });

  test('a table: sections as headings, figures rounded, what is not known a dash', async () => {
    await opened(report([alone]), async (page) => {
      const rows = await each<string[]>(page, 'table tr', '[...one.children].map((cell) => cell.textContent)');
      expect(rows).toEqual([['what', 'ns'], ['heap'], ['in', '1,234.6'], ['out', '–'], ['tree'], ['in', '2.0']]);
      expect(new Set(await each(page, 'td.figure', 'getComputedStyle(one).textAlign'))).toEqual(new Set(['right']));
    });
  });

  test('long tables open when asked for; long findings stand below the charts, below the tables where there are none', async () => {
    const long: Shown = {
      paragraphs: ['First.', 'Second.', 'Third.'],
      charts: [],
      notes: [],
      tables: [
        { name: 'long', caption: 'Long', columns: [{ name: 'n' }], rows: Array.from({ length: 50 }, (_, n) => [n]) },
      ],
    };
    await opened(report([{ ...long, charts: several.charts }, long]), async (page) => {
      const order = (part: string) => each<string>(page, `#${part} > *`, 'one.className || one.localName');
      expect(await order('part-0')).toEqual(['h2', 'p', 'p', 'key', 'panels', 'findings', 'details']);
      expect(await order('part-1')).toEqual(['h2', 'p', 'p', 'details', 'findings']);
      expect(await page.locator('#part-1 table').isVisible()).toBe(false);
      await page.locator('#part-1 summary').click();
      expect(await page.locator('#part-1 table').isVisible()).toBe(true);
      expect(await page.locator('#part-1 summary').textContent()).toBe('Long (50 rows)');
    });
  });

  test('bars as long as their values, and something for the least', async () => {
    const values = [
      { name: 'all', value: 1000, remark: '100 %' }, { name: 'one', value: 1 }, { name: 'none', value: 0 },
    ];
    await opened(report([{ ...alone, bars: [{ title: 'Parts', values }] }]), async (page) => {
      const widths = await each<number>(page, '.bar i', 'one.getBoundingClientRect().width');
      expect(widths[0]).toBeGreaterThan(100);
      expect(widths.slice(1)).toEqual([2, 0]);
      expect(await page.locator('.bar').first().innerText()).toMatch(/all\s+1,000 · 100 %/);
    });
  });

  test('a scatter: no lines, every series in the key, rings around what is notable; small drawings three in a row', async () => {
    const names = Array.from('abcdefghij');
    const scatter: Chart = {
      title: 'Area against time',
      isSynthetic: false,
      isScatter: true,
      notable: 'on the front',
      x: { label: 'time, s', scale: 'log' },
      y: { label: 'area', scale: 'linear' },
      series: names.map((name, i) => ({
        name,
        points: [{ x: 10 + i, y: 0.7 + i / 100, remark: '2 pairs', ...(i === 3 && { isNotable: true as const }) }],
      })),
    };
    const small: Shown = {
      ...several, charts: ['x', 'y', 'z'].map((title): Chart => ({ ...chart(title, ['a']), isSmall: true })),
    };
    await opened(report([{ ...alone, charts: [scatter] }, small]), async (page) => {
      expect(await each(page, '#part-0 svg.drawing [aria-label="line"] path', '1')).toEqual([]);
      const radii = await each<string>(page, '#part-0 svg.drawing circle', "one.getAttribute('r')");
      expect([radii.filter((r) => r === '3.2').length, radii.filter((r) => r === '7').length]).toEqual([10, 1]);
      expect(await each(page, '#part-0 .key li', 'one.textContent')).toEqual([...names, 'on the front']);
      // Areas from 0.7 to 0.79 fill the drawing: they are places, not lengths.
      const heights = await each<number>(page, '#part-0 svg.drawing circle', 'one.getBoundingClientRect().top');
      expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(200);
      expect(
        new Set(await each<number>(page, '#part-1 .panel', 'Math.round(one.getBoundingClientRect().top)')).size,
      ).toBe(1);
    });
  });

  test('a chart alone: its curves named, modelled points hollow, the yardstick dotted in the colour of its series', async () => {
    await opened(report([alone]), async (page) => {
      const drawing = page.locator('svg.drawing');
      expect(await drawing.locator('text').allTextContents()).toEqual(
        expect.arrayContaining(['heap', 'heap, in the paper']),
      );
      const fills = await each<string>(
        page, 'svg.drawing circle', "one.getAttribute('fill') ?? one.parentElement.getAttribute('fill')",
      );
      expect(fills.filter((fill) => fill === 'var(--raised)')).toHaveLength(1);
      expect(fills).toHaveLength(3);
      const drawn = await each<(string | null)[]>(
        page, 'svg.drawing [aria-label="line"]', "[one.getAttribute('stroke'), one.getAttribute('stroke-dasharray')]",
      );
      expect(drawn.map(([, dash]) => dash !== null)).toEqual([false, true]);
      expect(drawn[0][0]).toBe(drawn[1][0]);
      expect(await page.locator('.key').innerText()).toBe('computed, not measured');
    });
  });

  test('several charts: one key, one colour a name, synthetic ones said to be, an empty one too', async () => {
    await opened(report([several]), async (page) => {
      expect(await page.locator('.key li').allTextContents()).toEqual(Array.from('abcdefghij'));
      // More series than colours: the last two are dashed.
      expect(await page.locator('.key i.dashed').count()).toBe(2);
      expect(await page.locator('.panel > .caption').allTextContents()).toEqual(['real', 'drawn · synthetic', 'empty']);
      expect(await page.locator('.panel .nothing').textContent()).toBe('There is nothing to draw.');
      const ticks = await page
        .locator('svg.drawing')
        .first()
        .locator('[aria-label="x-axis tick label"] text')
        .allTextContents();
      expect(ticks).toEqual(['16', '32', '64', '128']);
    });
  });

  test('a name has one colour in all parts, and names of one part have different ones', async () => {
    const parts = [['opic', 'random'], ['random', 'alone'], ['best-first', 'random', 'opic'], ['alone']]
      .map((names): Shown => ({ ...several, charts: [chart('first', names), chart('second', names.toReversed())] }));
    await opened(report(parts), async (page) => {
      const keys = await each<[part: string, name: string, colour: string]>(
        page, '.measured > .key li', "[one.closest('section').id, one.textContent, one.firstChild.style.background]",
      );
      const pairs = new Set(keys.map(([, name, colour]) => `${name} ${colour}`));
      expect([...pairs].map((pair) => pair.split(' ')[0]).sort()).toEqual(['alone', 'best-first', 'opic', 'random']);
      expect(new Set(keys.map(([part, , colour]) => `${part} ${colour}`)).size).toBe(keys.length);
    });
  });

  test('for print, charts are drawn no wider than paper, so that they keep their size; small ones two in a row', async () => {
    const small: Shown = {
      ...several, charts: ['x', 'y', 'z'].map((title): Chart => ({ ...chart(title, ['a']), isSmall: true })),
    };
    await opened(report([alone, several, small]), async (page) => {
      const widths = () => each<number>(page, 'svg.drawing', "Number(one.getAttribute('width'))");
      const onScreen = await widths();
      await page.emulateMedia({ media: 'print' });
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      await page.setViewportSize({ width: 718, height: 1000 });
      expect(new Set(await widths())).toEqual(new Set([680, 330]));
      expect(await each<number>(page, 'svg.drawing', 'one.getBoundingClientRect().width')).toEqual(await widths());
      const lefts = await each<number>(page, '#part-2 .panel', 'Math.round(one.getBoundingClientRect().left)');
      expect(new Set(lefts).size).toBe(2);
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width: 1200, height: 800 });
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      await expect.poll(widths).toEqual(onScreen);
    }, { viewport: { width: 1200, height: 800 } });
  });

  test('answers the pointer with the values, not their logarithms', async () => {
    await opened(report([alone]), async (page) => {
      const drawing = page.locator('svg.drawing');
      await drawing.locator('[aria-label="dot"] circle').last().hover({ force: true });
      await expect
        .poll(() => drawing.locator('[aria-label="tip"]').textContent())
        .toMatch(/heap.*R: 256.*ns an entry: 200.*computed, not measured/s);
    });
  });

  test('names from outside are text, even the worst of them', async () => {
    const hostile: Shown = {
      paragraphs: hostileNames,
      notes: hostileNames,
      charts: hostileNames.map((name) => chart(name, [name])),
      tables: [
        {
          name: 't', caption: hostileNames[0], sections: 1, columns: [{ name: 'a' }, { name: hostileNames[0] }],
          rows: hostileNames.map((name) => [name, name]),
        },
      ],
    };
    const title = hostileNames[0];
    await opened(
      report([hostile], { title, command: title, warning: title, circumstances: hostileNames, notes: hostileNames }),
      async (page) => {
        expect(await page.locator('h1').textContent()).toBe(title);
        expect(await page.locator('img, iframe, object, embed, link').count()).toBe(0);
        expect(await page.locator('script').count()).toBe(2);
        expect(await page.locator('svg [onload], svg script').count()).toBe(0);
      },
    );
  });

  test.each([1400, 400])('fits a screen of %i pixels', async (width) => {
    await opened(report([alone, several]), async (page) => {
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }, { viewport: { width, height: 800 } });
  });
});

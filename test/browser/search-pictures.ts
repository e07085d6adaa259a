import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

/** The search page in one look. */
export interface View {
  readonly name: string;
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

const query = 'simulated network';

/** A search of the project's own documents, in each view, into `pictures`; that of README.md into `images`. */
export async function takeSearch(
  browser: Browser, root: string, views: readonly View[], { pictures, images }: { pictures: string; images: string },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-search-'));
  writeSite(join(root, 'src'), join(folder, 'orbweaver'));
  const main = join(root, 'dist/bundle/main.js');
  execFileSync(process.execPath, [main, 'index', 'orbweaver', '--out', 'docs.index'], { cwd: folder });
  const child = spawn(process.execPath, [main, 'serve', 'search', 'docs.index', '--name', 'Orbweaver', '--json'], {
    cwd: folder, stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', () => { reject(new Error('the search page ended')); });
      child.stdout.once('data', (line: Buffer) => { resolve((JSON.parse(String(line)) as { url: string }).url); });
    });
    for (const { name, width, colorScheme } of views) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      // The address with its token sets the cookie; the first search is slower than others.
      for (const address of [url, searched(url), searched(url)]) await page.goto(address);
      await page.screenshot({ path: join(pictures, `search-${name}.png`), fullPage: true });
      console.log(`runs/screenshots/search-${name}.png`);
      if (name === 'light') {
        const clip = { x: 0, y: 0, width, height: 620 };
        await page.screenshot({ path: join(images, 'search.png'), clip });
      }
      await page.close();
    }
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const searched = (url: string): string => `${new URL(url).origin}/?q=${encodeURIComponent(query)}`;

/** A page of HTML for each section of the documents below `source`, linked as these are. */
function writeSite(source: string, site: string): void {
  const documents = readdirSync(source, { recursive: true }).map(String).filter((name) => name.endsWith('.md'));
  for (const document of documents) {
    const folder = join(site, document.replace(/(\/?README)?\.md$/, ''));
    mkdirSync(folder, { recursive: true });
    const sections = readFileSync(join(source, document), 'utf8').split(/^(?=#+ )/m);
    const titles = sections.map((section) => (/^#+ (.*)/.exec(section)?.[1] ?? document).replaceAll('`', ''));
    const names = titles.map((title, i) => (i === 0 ? 'index.html' : `${slugOf(title)}.html`));
    for (const [i, section] of sections.entries()) {
      const body = escaped(section.replace(/^#+ .*/, '').replace(/^(\|[-|]+|\d{4}-\d\d-\d\d, .*)$/gm, ''))
        .replace(/\[([^\]]+)\]\(([^)#]+?)(README)?\.md\)/g, '<a href="$2/">$1</a>')
        .split(/\n{2,}/).map((text) => `<p>${text.replace(/[`*]/g, '').replace(/ ?\| ?|^- /gm, ' ')}</p>`);
      const next = i + 1 < sections.length ? `<a href="${names[i + 1]}">next</a>` : '';
      writeFileSync(
        join(folder, names[i]), `<!doctype html><title>${escaped(titles[i])}</title>${body.join('\n')}${next}`,
      );
    }
  }
}

function slugOf(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, 30).replace(/^-|-$/g, '');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

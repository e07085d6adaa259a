import { expect, onTestFinished, test } from 'vitest';
import { linksName } from '../../../../src/views/service/frontier/index.ts';
import { isFullSweep, sampled } from '../../../sweep.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { all, discovered, each, known } from '../at.ts';
import { FetchedWeb } from './fetched-web.ts';

// Goal: the order that a simulation plans is the order in which the frontier hands out, to a client that puts each page
// with its links before it asks for the next one.

const { folder } = temporaryFolder();
const pages = isFullSweep ? 80 : 20;
const policies = [
  'opic', 'breadth-first', 'depth-first', 'backlink-count', 'larger-sites-first', 'round-robin',
] as const;

test.each(sampled(policies, 7))(
  'the frontier hands out in the order of the simulation: %s', async (policy) => {
    const web = await FetchedWeb.open(folder, { policy });
    onTestFinished(() => web.close());
    const order: string[] = [];
    while (order.length < pages) {
      const [{ url }] = await all(web.calls.getURLs({ maxUrlsPerQueue: 1, maxQueues: 1 }));
      order.push(url);
      const links = web.linksOf(url);
      const result = known({ url, metadata: { [linksName]: { values: links } } }, 0);
      await all(web.calls.putURLs(each([...links.map((link) => discovered({ url: link })), result])));
    }
    const planned = Array.from(await web.planned(pages), (page) => web.site.urls.urlOf(page));
    expect(order).toEqual(planned);
  },
);

import { expect } from 'vitest';
import { discovered, known, type OneCrawl } from '../at.ts';
import { own, type Behaviour } from './behaviour.ts';

const page = (name: string): string => `http://a.example/${name}`;

/** A page was fetched, with these links, or with none known. */
function fetched(crawl: OneCrawl, name: string, links?: readonly string[], date = 0) {
  return known(crawl.info(page(name), '', links === undefined ? {} : { 'orbweaver.links': links.map(page) }), date);
}

const find = (crawl: OneCrawl, ...names: readonly string[]): Promise<number[]> =>
  crawl.put(...names.map((name) => discovered(crawl.info(page(name)))));

/** Names in the order in which they leave. */
const order = async (crawl: OneCrawl): Promise<string[]> =>
  (await crawl.get({ maxUrlsPerQueue: 0 })).map((url) => url.replace(page(''), ''));

export const ranks: readonly Behaviour[] = [
  own('without links, discovered URLs leave in the order in which they came', async (crawl) => {
    await find(crawl, 'c', 'a', 'b');
    expect(await order(crawl)).toEqual(['c', 'a', 'b']);
  }),
  own('a page with more cash leaves first', async (crawl) => {
    await find(crawl, 'seed');
    expect(await order(crawl)).toEqual(['seed']);
    await crawl.put(fetched(crawl, 'seed', ['x', 'y', 'z', 'x']));
    await find(crawl, 'z', 'y', 'x');
    await crawl.at.advance(1000);
    // Equal shares: in the order of their discovery, by links here.
    expect(await order(crawl)).toEqual(['x', 'y', 'z']);
    await crawl.put(fetched(crawl, 'x', ['p']), fetched(crawl, 'y', ['q', 'p']), fetched(crawl, 'z', ['r', 'q', 'o']));
    await find(crawl, 'o', 'r', 'q', 'p');
    await crawl.at.advance(1000);
    // p: 1 + 1/2, q: 1/2 + 1/3, r: 1/3, o: 1/3 thirds of the cash.
    expect(await order(crawl)).toEqual(['p', 'q', 'r', 'o']);
  }),
  own('a link ranks a page that was discovered before it', async (crawl) => {
    await find(crawl, 'seed');
    await order(crawl);
    await find(crawl, 'one', 'two');
    await crawl.put(fetched(crawl, 'seed', ['two']));
    await crawl.at.advance(1000);
    expect(await order(crawl)).toEqual(['two', 'one']);
  }),
  own('an item that is sent again spreads nothing twice', async (crawl) => {
    await find(crawl, 's1', 's2');
    await order(crawl);
    await find(crawl, 'one', 'two');
    for (let i = 0; i < 5; i++) await crawl.put(fetched(crawl, 's1', ['one', 'x']));
    await crawl.put(fetched(crawl, 's2', ['two']));
    await crawl.at.advance(1000);
    expect(await order(crawl)).toEqual(['two', 'one']);
  }),
  own('a page without known links keeps its cash until they are', async (crawl) => {
    await find(crawl, 's1', 's2');
    await order(crawl);
    await find(crawl, 'one', 'two');
    await crawl.put(fetched(crawl, 's1'), fetched(crawl, 's2', ['one', 'x']), fetched(crawl, 's1', ['two']));
    await crawl.at.advance(1000);
    expect(await order(crawl)).toEqual(['two', 'one']);
  }),
  own('a page that is visited again spreads what it got since', async (crawl) => {
    await find(crawl, 's1', 's2');
    await order(crawl);
    await find(crawl, 'one', 'two');
    await crawl.put(
      fetched(crawl, 's1', ['x', 'one'], crawl.seconds + 1), fetched(crawl, 's2', ['s1']),
      fetched(crawl, 's1', ['two', 'x']),
    );
    await crawl.at.advance(1000);
    // one: 1/2; two: 1/2 of s2's.
    await crawl.put(fetched(crawl, 'x', ['two']));
    expect(await order(crawl)).toEqual(['two', 'one']);
  }),
  own('the metadata of links is not stored', async (crawl) => {
    await crawl.put(fetched(crawl, 's', ['one'], crawl.seconds - 1));
    expect((await crawl.infos())[0].metadata).toEqual({});
  }),
  own('links name their keys where these are not hosts', async (crawl) => {
    const info = (name: string, more = {}) => crawl.info(page(name), 'example', more);
    await crawl.put(discovered(info('s')));
    await crawl.get();
    await crawl.put(discovered(info('one')), discovered(info('two')));
    await crawl.put(known(info('s', { 'orbweaver.links': [page('two')], 'orbweaver.keys': ['example'] }), 0));
    await crawl.at.advance(1000);
    expect(await order(crawl)).toEqual(['two', 'one']);
  }),
  own('links with another number of keys are left out, and the item accepted', async (crawl) => {
    const links = { 'orbweaver.links': [page('two')], 'orbweaver.keys': ['a', 'b'] };
    expect(await crawl.put(known(crawl.info(page('s'), '', links), 0))).toEqual([0]);
  }),
  own('queues leave best first', async (crawl) => {
    await find(crawl, 'seed');
    await order(crawl);
    const hosts = ['low', 'mid', 'top'].map((host) => `http://${host}.example/`);
    const links = (names: readonly string[]) => ({ 'orbweaver.links': names });
    await crawl.put(known(crawl.info(page('seed'), '', links([page('a'), page('b'), hosts[2]])), 0));
    await crawl.put(known(crawl.info(page('a'), '', links([hosts[1], page('x')])), 0));
    await crawl.put(known(crawl.info(page('b'), '', links([hosts[0], hosts[2], page('x')])), 0));
    await crawl.put(...hosts.map((url) => discovered(crawl.info(url))));
    expect(await crawl.get()).toEqual([hosts[2], hosts[1], hosts[0]]);
  }),
];

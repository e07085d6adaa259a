import { useEffect, useState } from 'preact/hooks';
import { counted, number } from '../../../report/page/format.ts';
import type { CrawlGraph, FoundPages, ListedPage, PageNeighbourhood } from '../../../service/dashboard/graph/api.ts';
import * as client from '../../client.ts';
import { useAnswer } from '../../parts/hooks.ts';
import { Table } from '../../parts/table.tsx';
import { Problem } from '../../parts/words.tsx';
import { outcomeWords } from '../../run/words.ts';
import { Neighbourhood } from './page/neighbourhood.tsx';
import { shortened } from './page/neighbours.ts';

/** Characters of a name in a table that has another one beside it. */
const BESIDE = 26;

interface Given {
  readonly id: string;
  readonly graph: CrawlGraph;
  /** The node whose pages are shown. */
  readonly node: number | null;
  readonly leave: () => void;
}

/** Pages of a node, or pages found by a search, and the neighbours of a page. */
export function Pages({ id, graph, node, leave }: Given) {
  const [draft, setDraft] = useState('');
  const [text, setText] = useState('');
  const [page, setPage] = useState<number | null>(null);
  useEffect(() => {
    if (node !== null) setText('');
  }, [node]);
  const name = graph.nodes.find((candidate) => candidate.id === node)?.name ?? '';
  const query = text !== '' ? { find: text } : node !== null ? { node } : null;
  const { answer: pages, problem } = useAnswer(query && JSON.stringify(query), () => client.graphPages(id, query!));
  const around = useAnswer(page, () => client.graphPage(id, page!));
  const search = (event: Event): void => {
    event.preventDefault();
    leave();
    setText(draft.trim());
  };
  return (
    <>
      <section aria-labelledby="pages">
        <div class="section-head">
          <h2 id="pages" tabIndex={-1}>
            {text !== '' ? <>Pages with “<bdi>{text}</bdi>”</>
              : node === null ? 'Pages' : <>Pages of <bdi>{name}</bdi></>}
          </h2>
          <form class="search" onSubmit={search}>
            <label class="search">
              <span>Find pages whose URL contains</span>
              <input
                type="search" value={draft} maxLength={200} onInput={(event) => setDraft(event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="small" disabled={draft.trim() === ''}>Find</button>
          </form>
        </div>
        {problem !== '' && <Problem text={problem} />}
        {query === null && <p class="nothing">Choose one of the {graph.nodesAre}, or find pages by their URL.</p>}
        {query !== null && pages !== null && <Found found={pages} isSearch={text !== ''} open={setPage} />}
      </section>
      {around.problem !== '' && <Problem text={around.problem} />}
      {page !== null && around.answer !== null && <Around id={id} around={around.answer} open={setPage} />}
    </>
  );
}

function Found({ found: { pages, count, searched }, isSearch, open }: {
  readonly found: FoundPages; readonly isSearch: boolean; readonly open: (page: number) => void;
}) {
  return (
    <>
      <p class="note" role="status">
        {counted(count, 'page')}
        {pages.length < count && `; the ${number(pages.length)} with the most links to them are listed`}.
        {isSearch && searched >= 1_000_000 && ` Only the first ${number(searched)} pages of the graph were searched.`}
      </p>
      {pages.length > 0 && <PageTable label="Table of pages" pages={pages} open={open} />}
    </>
  );
}

function Around({ id, around, open }: {
  readonly id: string; readonly around: PageNeighbourhood; readonly open: (page: number) => void;
}) {
  const { page, to, from } = around;
  useEffect(() => {
    document.getElementById('around')?.focus();
  }, [page.page]);
  const few = (pages: readonly ListedPage[], count: number): string =>
    pages.length < count ? `, of which the ${number(pages.length)} most linked are shown` : '';
  return (
    <section aria-labelledby="around">
      <h2 id="around" tabIndex={-1}>Around <bdi>{page.name}</bdi></h2>
      <p class="note">
        {wordsOf(page)} {counted(page.linksIn, 'page')} {page.linksIn === 1 ? 'links' : 'link'} to it
        {few(from, page.linksIn)}; it links to {counted(page.linksOut, 'page')}{few(to, page.linksOut)}.
      </p>
      <Neighbourhood id={id} around={around} open={open} />
      <div class="columns">
        {([['Pages that link to it', from], ['Pages that it links to', to]] as const).map(([label, pages]) => (
          <div key={label}>
            <h3>{label}</h3>
            {pages.length === 0 ? <p class="nothing">None.</p> : (
              <PageTable label={label} pages={pages} open={open} room={BESIDE} />
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

function wordsOf({ state, superstep, failure, processor }: ListedPage): string {
  const when = superstep === null ? '' : ` in superstep ${number(superstep)}`;
  switch (state) {
    case 'fetched': return `Fetched${when} by processor ${processor}.`;
    case 'failed':
      return `Not fetched (${outcomeWords(failure ?? '')}); found${when}; a page of processor ${processor}.`;
    case 'known': return `Found${when}, not fetched; a page of processor ${processor}.`;
    case 'unknown': return `Not found by the run; a page of processor ${processor}.`;
  }
}

interface Listed {
  readonly label: string;
  readonly pages: readonly ListedPage[];
  readonly open: (page: number) => void;
  /** Characters of a name that are shown. */
  readonly room?: number;
}

function PageTable({ label, pages, open, room = Infinity }: Listed) {
  return (
    <Table
      label={label} isTall rows={pages} keyOf={({ page }) => page}
      columns={[
        ['Page', ({ page, name }) => (
          <button type="button" class="pick" title={name} onClick={() => open(page)}>
            <bdi>{shortened(name, room)}</bdi>
          </button>
        ), 'name'],
        ['State', ({ failure, state }) => (failure === null ? state : outcomeWords(failure)), ''],
        ['Superstep', ({ superstep }) => (superstep === null ? '' : number(superstep))],
        ['Processor', ({ processor }) => number(processor)],
        ['Links in', ({ linksIn }) => number(linksIn)],
        ['Links out', ({ linksOut }) => number(linksOut)],
      ]}
    />
  );
}

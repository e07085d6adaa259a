import { useEffect, useMemo, useState } from 'preact/hooks';
import { sentenceList } from '../../../report/page/format.ts';
import type { RunView } from '../../../service/dashboard/api.ts';
import { Chart } from '../../charts/chart.tsx';
import type { Against } from '../../charts/figures.ts';
import * as client from '../../client.ts';
import { Copyable } from '../../parts/copy.tsx';
import { useTitle } from '../../parts/hooks.ts';
import { Problem, Scroll } from '../../parts/words.tsx';
import { compareAddress, runAddress } from '../../routes.ts';
import { compareCommand } from '../../run/shown-runs.ts';
import { kindWords } from '../../run/words.ts';
import { AgainstChoice } from '../run/curves.tsx';
import { comparedFigures, maxCompared } from './compared-figures.ts';
import { comparedFacts, differingSettings, namesOf, type ComparedRow } from './compared.ts';

/** Finished runs side by side: what they gathered, what differs in their settings, and their figures. */
export function CompareView({ ids }: { readonly ids: readonly string[] }) {
  useTitle('Compare');
  const { views, problem } = useViews(ids.slice(0, maxCompared));
  const isReady = views !== null && views.length > 1;
  return (
    <>
      <h1>Compare runs</h1>
      {problem !== '' && <Problem text={problem} />}
      {ids.length > maxCompared && <p class="note">The first {maxCompared} of {ids.length} runs are shown.</p>}
      {views === null && problem === '' && <p class="nothing">Loading the runs …</p>}
      {views !== null && views.length < 2 && (
        <p class="nothing">Choose at least two finished runs in the <a href="#/">list of runs</a>.</p>
      )}
      {isReady && <Compared views={views} />}
    </>
  );
}

function Compared({ views }: { readonly views: readonly RunView[] }) {
  const [against, setAgainst] = useState<Against>('pages');
  const names = useMemo(() => namesOf(views.map(({ listed }) => listed)), [views]);
  const curves = useMemo(() => views.map((view, i) => ({ name: names[i], curves: view.curves })), [views, names]);
  const figures = useMemo(() => comparedFigures(curves, against), [curves, against]);
  const listed = views.map((view) => view.listed);
  const unknown = curves.filter(({ curves: columns }) => columns.rank.length === 0).map(({ name }) => name);
  const graphs = new Set(listed.map(({ name }) => name));
  return (
    <>
      <ul class="key legend" aria-label="Runs">
        {listed.map(({ id, name, kind }, i) => (
          <li key={id}>
            <i class={`run-${i}`} /><a href={runAddress(id)}><bdi>{names[i]}</bdi></a>{' '}
            <small>{kindWords(kind)} of <bdi>{name}</bdi></small>{' '}
            {listed.length > 2 && (
              <a
                class="small" aria-label={`Leave out ${names[i]}`}
                href={compareAddress(listed.filter((run) => run.id !== id).map((run) => run.id))}
              >
                leave out
              </a>
            )}
          </li>
        ))}
      </ul>
      {graphs.size > 1 && (
        <p class="note">The runs crawled different graphs: shares are of the rank within reach of each.</p>
      )}
      <section aria-labelledby="curves">
        <div class="section-head">
          <h2 id="curves">Curves</h2>
          {unknown.length === 0 && <AgainstChoice against={against} set={setAgainst} />}
        </div>
        {unknown.length > 0 && (
          <p class="note">
            Pages are drawn, since the records of {sentenceList(unknown)} have no curve of rank: only simulations that
            run with --watch store one. The command below compares the rank of all.
          </p>
        )}
        <div class="charts">{figures.map((figure) => <Chart key={figure.name} figure={figure} id="compare" />)}</div>
      </section>
      <section aria-labelledby="figures">
        <h2 id="figures">Figures</h2>
        <Table label="Table of figures" names={names} rows={comparedFacts(views)} none="" />
      </section>
      <section aria-labelledby="settings">
        <h2 id="settings">Settings that differ</h2>
        <Table
          label="Table of settings that differ" names={names} rows={differingSettings(views)}
          none="None: the runs have the same settings."
        />
      </section>
      <section aria-labelledby="command">
        <h2 id="command">The same on the command line</h2>
        <p class="note">It also reports what each order fetches sooner, and which differences exceed the noise.</p>
        <Copyable text={compareCommand(listed)} what="command" />
      </section>
    </>
  );
}

interface TableGiven {
  readonly label: string;
  readonly names: readonly string[];
  readonly rows: readonly ComparedRow[];
  /** What is said where there is no row. */
  readonly none: string;
}

function Table({ label, names, rows, none }: TableGiven) {
  if (rows.length === 0) return <p class="nothing">{none}</p>;
  return (
    <Scroll label={label}>
      <table class="compare">
        <thead>
          <tr>
            <td />
            {names.map((name, i) => (
              <th scope="col" class="figure" key={name}><i class={`swatch run-${i}`} /><bdi>{name}</bdi></th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells, best }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, i) => (
                <td class="figure" key={names[i]}>
                  {best[i] ? <b>{cell}<small> best</small></b> : <bdi>{cell}</bdi>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface Views {
  /** Null while they are loaded. */
  readonly views: readonly RunView[] | null;
  readonly problem: string;
}

function useViews(ids: readonly string[]): Views {
  const [loaded, setLoaded] = useState<Views>(nothing);
  useEffect(() => {
    let isGone = false;
    setLoaded(nothing);
    void Promise.allSettled(ids.map((id) => client.run(id))).then((answers) => {
      if (isGone) return;
      const views = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      const faults = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
      setLoaded({
        views: views.filter(({ curves }) => curves.superstep.length > 0),
        problem: faults.map(({ message }) => message).join(' '),
      });
    });
    return () => { isGone = true; };
  }, [ids.join(' ')]);
  return loaded;
}

const nothing: Views = { views: null, problem: '' };

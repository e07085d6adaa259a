import { number } from '../../../report/page/format.ts';
import type { JobBoard } from '../../../watch/contract.ts';
import { Scroll } from '../../parts/words.tsx';
import { estimateText, standingText } from './board-text.ts';

/** All that is known of the candidates. */
export function CandidatesTable({ board, isOver }: { readonly board: JobBoard; readonly isOver: boolean }) {
  const { noun, measures, candidates, unlisted } = board;
  return (
    <>
      <Scroll label={`Table of each ${noun}`} isTall>
        <table>
          <thead>
            <tr>
              <th scope="col">{noun.charAt(0).toUpperCase() + noun.slice(1)}</th>
              <th scope="col">Standing</th>
              {measures.map(({ name }) => <th scope="col" class="figure" key={name}>{name}</th>)}
              <th scope="col" class="figure">Runs</th>
            </tr>
          </thead>
          <tbody>
            {candidates.map(({ name, standing, runs, estimates }) => (
              <tr key={name} class={standing}>
                <th scope="row" class="candidate"><bdi>{name}</bdi></th>
                <td>{standingText(noun, standing, isOver)}</td>
                {measures.map((measure, i) => (
                  <td class="figure" key={measure.name}>{estimateText(measure, estimates[i] ?? null)}</td>
                ))}
                <td class="figure">{number(runs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {unlisted > 0 && <p class="note">{number(unlisted)} more, none of them better, are not listed.</p>}
    </>
  );
}

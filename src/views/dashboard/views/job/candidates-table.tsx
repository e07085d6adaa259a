import { number } from '../../../report/page/format.ts';
import type { Candidate, JobBoard } from '../../../watch/contract.ts';
import { Table, type TableColumn } from '../../parts/table.tsx';
import { estimateText, standingText } from './board-text.ts';

/** All that is known of the candidates. */
export function CandidatesTable({ board, isOver }: { readonly board: JobBoard; readonly isOver: boolean }) {
  const { noun, measures, candidates, unlisted } = board;
  return (
    <>
      <Table
        label={`Table of each ${noun}`} isTall rows={candidates} keyOf={({ name }) => name}
        classOf={({ standing }) => standing}
        columns={[
          [noun.charAt(0).toUpperCase() + noun.slice(1), ({ name }) => <bdi>{name}</bdi>, 'candidate'],
          ['Standing', ({ standing }) => standingText(noun, standing, isOver), ''],
          ...measures.map((measure, i): TableColumn<Candidate> =>
            [measure.name, ({ estimates }) => estimateText(measure, estimates[i] ?? null)]),
          ['Runs', ({ runs }) => number(runs)],
        ]}
      />
      {unlisted > 0 && <p class="note">{number(unlisted)} more, none of them better, are not listed.</p>}
    </>
  );
}

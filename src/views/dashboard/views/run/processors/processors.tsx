import { useCallback, useState } from 'preact/hooks';
import { counted } from '../../../../report/page/format.ts';
import type { ShownProcessor } from '../../../run/shown-processors.ts';
import { Scroll } from '../../../parts/words.tsx';
import { sliderMax } from '../controls.tsx';
import { ProcessorRow } from './processor-row.tsx';

/** Rows that are drawn unless the reader asks for all: a run may have 4,096 processors. */
const fewRows = 64;

interface Given {
  readonly id: string;
  readonly processors: readonly ShownProcessor[];
  readonly canSteer: boolean;
  readonly isOver: boolean;
}

export function Processors({ id, processors, canSteer, isOver }: Given) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [isWhole, setWhole] = useState(false);
  const toggle = useCallback((processor: number) => setOpen((open) => {
    const after = new Set(open);
    if (!after.delete(processor)) after.add(processor);
    return after;
  }), []);
  const visible = isWhole ? processors : processors.slice(0, fewRows);
  const counts = processors.map(({ robots }) => robots);
  const top = counts.length === 0 ? 16 : sliderMax(counts);
  return (
    <section aria-labelledby="processors">
      <h2 id="processors">Processors</h2>
      {processors.length === 0 ? <p class="nothing">None at work yet.</p> : (
        <Scroll label="Table of processors" isTall>
          <table class="processors">
            <thead>
              <tr>
                <th scope="col">Processor</th>
                {isOver ? <th scope="col" class="figure">Robots</th> : (
                  <>
                    <th scope="col" class="figure">Robots at work</th>
                    <th scope="col">Downloading</th><th scope="col">Last outcome</th>
                  </>
                )}
                <th scope="col" class="figure">Last updated</th>
                <th scope="col" class="figure">Queue</th><th scope="col" class="figure">Pending</th>
                <th scope="col" class="figure">Pages</th><th scope="col" class="figure">Balance</th>
                <th scope="col" class="figure">Failures</th><th scope="col" class="figure">Downloaded</th>
              </tr>
            </thead>
            <tbody>
              {visible.map((processor) => (
                <ProcessorRow
                  key={processor.processor} id={id} processor={processor} isOpen={open.has(processor.processor)}
                  toggle={toggle} canSteer={canSteer} isOver={isOver} sliderMax={top}
                />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {processors.length > 0 && (
        <p class="note">
          Last updated: the time of the run {isOver ? 'when it last had work' : 'of its last outcome'}. Balance: its
          pages as a share of the mean of all processors. Open a processor to read its log.
        </p>
      )}
      {visible.length < processors.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show {counted(processors.length - visible.length, 'more processor')}
        </button>
      )}
    </section>
  );
}


import { useCallback, useState } from 'preact/hooks';
import { counted } from '../../../report/page/format.ts';
import type { FeedLine, RunState } from '../../../watch/contract.ts';
import { Scroll } from '../../parts/words.tsx';
import { sliderMax } from './controls.tsx';
import { ProcessorRow } from './processor-row.tsx';

/** Rows that are drawn unless the reader asks for all: a run may have 4,096 processors. */
const fewRows = 64;

interface Given {
  readonly id: string;
  readonly state: RunState;
  readonly feed: readonly FeedLine[];
}

export function Processors({ id, state, feed }: Given) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [isWhole, setWhole] = useState(false);
  const toggle = useCallback((processor: number) => setOpen((before) => {
    const after = new Set(before);
    if (!after.delete(processor)) after.add(processor);
    return after;
  }), []);
  const { processors, phase } = state;
  const shown = isWhole ? processors : processors.slice(0, fewRows);
  const canSteer = phase === 'running' || phase === 'paused';
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
                <th scope="col">Processor</th><th scope="col" class="figure">Robots at work</th>
                <th scope="col">Downloading</th><th scope="col">Last outcome</th>
                <th scope="col" class="figure">Queue</th><th scope="col" class="figure">Pending</th>
                <th scope="col" class="figure">Pages</th><th scope="col" class="figure">Failures</th>
                <th scope="col" class="figure">Downloaded</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((one) => (
                <ProcessorRow
                  key={one.processor} id={id} processor={one} isOpen={open.has(one.processor)} toggle={toggle}
                  feed={feed} canSteer={canSteer} sliderMax={top}
                />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {shown.length < processors.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show {counted(processors.length - shown.length, 'more processor')}
        </button>
      )}
    </section>
  );
}


import { useState } from 'preact/hooks';
import { Log } from './log.tsx';

interface Given {
  readonly id: string;
  /** Null: it is not known how many there are. */
  readonly processors: number | null;
  readonly isOver: boolean;
}

/** The log of all processors, or of the processor that the reader names. */
export function LogSection({ id, processors, isOver }: Given) {
  const [processor, setProcessor] = useState<number | null>(null);
  const most = processors ?? 65_536;
  const take = (value: number): void =>
    setProcessor(Number.isInteger(value) && value >= 0 && value < most ? value : null);
  return (
    <section aria-labelledby="log">
      <div class="section-head">
        <h2 id="log">Log</h2>
        {most > 1 && (
          <label class="search">
            <span>Processor</span>
            <input
              type="number" min={0} max={most - 1} placeholder="all"
              onInput={(event) => take(event.currentTarget.valueAsNumber)}
            />
          </label>
        )}
      </div>
      <p class="note">How each download ended, the newest first.</p>
      <Log id={id} processor={processor} isOver={isOver} limit={25} />
    </section>
  );
}

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ControlBody } from '../../../service/dashboard/api.ts';
import type { RunState } from '../../../watch/contract.ts';
import { Robots } from '../../parts/robots.tsx';
import { Problem } from '../../parts/words.tsx';
import { asked } from './asked.ts';
import { HostForm } from './host-form.tsx';

interface Given {
  readonly id: string;
  readonly state: RunState;
  /** Whether the run has a pace: the web's cannot be set. */
  readonly hasPace: boolean;
}

/** Buttons and robots of a run that goes on. */
export function Controls({ id, state, hasPace }: Given) {
  const [problem, setProblem] = useState('');
  const ask = async (body: ControlBody): Promise<void> => setProblem(await asked(id, body));
  const { phase, processors } = state;
  const canPause = phase === 'running' || phase === 'paused';
  const counts = processors.map(({ robots }) => robots);
  const all = Math.round(counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length));
  const differ = counts.some((count) => count !== counts[0]);
  return (
    <section class="controls" aria-label="Steer the run">
      <div class="buttons">
        <button
          type="button" disabled={!canPause}
          onClick={() => void ask({ do: phase === 'paused' ? 'resume' : 'pause' })}
        >
          {phase === 'paused' ? 'Resume' : 'Pause'}
        </button>
        <Stop
          isPossible={canPause || phase === 'preparing'} what="It ends at the next barrier."
          stop={() => ask({ do: 'stop' })}
        />
      </div>
      {counts.length > 0 && canPause && (
        <div class="robots-all">
          <span>
            Robots of each processor
            {differ && <small> (they differ: {Math.min(...counts)} to {Math.max(...counts)})</small>}
          </span>
          <Robots
            label="Robots of each processor" robots={all} sliderMax={sliderMax(counts)}
            set={(robots) => ask({ do: 'robots', robots })}
          />
        </div>
      )}
      {hasPace && canPause && (
        <PaceChoice pace={state.pace} set={(rate) => void ask({ do: 'pace', maxSuperstepsPerSecond: rate })} />
      )}
      {counts.length > 0 && canPause && <HostForm id={id} />}
      {problem !== '' && <Problem text={problem} />}
    </section>
  );
}

/** Supersteps per second; '' is full speed. */
const paces = ['', '20', '5', '2', '1', '0.5'];

function PaceChoice({ pace, set }: { readonly pace: number | null; readonly set: (rate: number | null) => void }) {
  const now = pace === null ? '' : String(pace);
  const choose = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    set(value === '' ? null : Number(value));
  };
  return (
    <label class="pace">
      Pace{' '}
      <select value={now} onChange={choose}>
        {(paces.includes(now) ? paces : [...paces, now]).map((pace) => (
          <option key={pace} value={pace}>
            {pace === '' ? 'full speed' : `${pace} ${pace === '1' ? 'superstep' : 'supersteps'} per second`}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The end of the slider: a power of two, so that it seldom moves. */
export function sliderMax(counts: readonly number[]): number {
  return Math.min(65_536, 2 ** Math.ceil(Math.log2(Math.max(16, 2 * Math.max(...counts)))));
}

interface StopGiven {
  readonly isPossible: boolean;
  /** What happens then, as a sentence. */
  readonly what: string;
  readonly stop: () => Promise<void>;
}

/** A button that asks before it stops. */
export function Stop({ isPossible, what, stop }: StopGiven) {
  const [isAsking, setAsking] = useState(false);
  const [first, sure] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)];
  const wasAsking = useRef(false);
  useLayoutEffect(() => {
    // The keyboard follows the question, and comes back after it.
    if (isAsking) sure.current?.focus();
    else if (wasAsking.current) first.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking || !isPossible) {
    return (
      <button type="button" disabled={!isPossible} ref={first} onClick={() => setAsking(true)}>Stop</button>
    );
  }
  const confirm = (): void => {
    setAsking(false);
    void stop();
  };
  return (
    <span class="question" role="group" aria-label="Stop the run?">
      Stop the run? {what}
      <button type="button" class="danger" ref={sure} onClick={confirm}>Stop it</button>
      <button type="button" onClick={() => setAsking(false)}>Let it go on</button>
    </span>
  );
}

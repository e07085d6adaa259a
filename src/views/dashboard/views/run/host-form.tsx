import { useState } from 'preact/hooks';
import { Problem } from '../../parts/words.tsx';
import { asked } from './asked.ts';

/** A host of the run is slowed or blocked. Neither can be taken back: a run never becomes less polite. */
export function HostForm({ id }: { readonly id: string }) {
  const [host, setHost] = useState('');
  const [seconds, setSeconds] = useState('10');
  const [message, setSaid] = useState({ problem: '', done: '' });
  const [isAsking, setAsking] = useState(false);
  const ask = async (delayMs: number | null, success: string): Promise<void> => {
    setAsking(false);
    const problem = await asked(id, { do: 'host', host, delayMs });
    setSaid({ problem, done: problem === '' ? success : '' });
  };
  const slow = (event: Event): void => {
    event.preventDefault();
    void ask(Math.round(1000 * Number(seconds)), `${host}: at least ${seconds} s between two downloads.`);
  };
  const typed = (set: (value: string) => void) => (event: Event): void => {
    setAsking(false);
    set((event.currentTarget as HTMLInputElement).value);
  };
  return (
    <details class="host-form">
      <summary>Slow or block a host</summary>
      <form class="buttons" onSubmit={slow}>
        <label>Host <input value={host} required maxLength={300} onInput={typed(setHost)} /></label>
        <label>
          Delay{' '}
          <input
            type="number" min={0} max={86_400} step="any" required value={seconds} onInput={typed(setSeconds)}
          />{' '}s
        </label>
        <button type="submit">Raise its delay</button>
        {isAsking ? (
          <span class="question" role="group" aria-label="Block the host?">
            Block {host}? This cannot be undone in this run.
            <button type="button" class="danger" onClick={() => void ask(null, `${host} is blocked.`)}>Block it</button>
            <button type="button" onClick={() => setAsking(false)}>Cancel</button>
          </span>
        ) : <button type="button" disabled={host === ''} onClick={() => setAsking(true)}>Block it...</button>}
      </form>
      <p class="note" role="status">
        {message.done === '' ? 'A delay can only be raised. All pages of a host fail once it is blocked.' : message.done}
      </p>
      {message.problem !== '' && <Problem text={message.problem} />}
    </details>
  );
}

import type { ComponentChildren } from 'preact';
import { moodOf, type Mood } from '../run/words.ts';

type State = Parameters<typeof moodOf>[0];

/** A run's state, as a word and a colour. */
export function StateWord({ state }: { readonly state: State }) {
  const mood: Mood = moodOf(state);
  return <span class={`state ${mood}`}>{state}</span>;
}

/** What went wrong, read out at once. */
export function Problem({ text }: { readonly text: string }) {
  return <p class="problem" role="alert">{text}</p>;
}

/** What a run that failed printed. */
export function Failure({ text }: { readonly text: string }) {
  return (
    <section aria-labelledby="error" class="failed">
      <h2 id="error">What went wrong</h2>
      <pre tabIndex={0} role="region" aria-label="Message of the error">{text}</pre>
    </section>
  );
}

/** A region for a wide table, which scrolls by keyboard too. */
export function Scroll({ label, isTall = false, children }: ScrollGiven) {
  return <div class={isTall ? 'scroll tall' : 'scroll'} tabIndex={0} role="region" aria-label={label}>{children}</div>;
}

interface ScrollGiven {
  readonly label: string;
  /** It scrolls up and down too, under the head of its table. */
  readonly isTall?: boolean;
  readonly children: ComponentChildren;
}

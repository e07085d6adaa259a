import { useState } from 'preact/hooks';

const most = 65_536;

interface Given {
  readonly label: string;
  readonly robots: number;
  /** The end of the slider; the number beside it may be greater. */
  readonly sliderMax: number;
  readonly set: (robots: number) => Promise<void>;
}

/** How long what was chosen is shown, until the run's next state says the same. */
const settleMs = 1000;

/** A number of robots as a slider and as a number. What is chosen is sent when the slider is released. */
export function Robots({ label, robots, sliderMax, set }: Given) {
  // As it is typed: states come in between.
  const [draft, setDraft] = useState<string | null>(null);
  const forget = (): void => void setTimeout(() => setDraft(null), settleMs);
  const move = (event: Event): void => setDraft(textOf(event));
  const send = (event: Event): void => {
    const count = Number(textOf(event));
    if (!Number.isInteger(count) || count < 1 || count > most) {
      // It goes back to what it was.
      setDraft(null);
      return;
    }
    setDraft(String(count));
    void set(count).finally(forget);
  };
  return (
    <span class="robots">
      <input
        type="range" min={1} max={Math.max(sliderMax, robots)} value={Number(draft) || robots} aria-label={label}
        onInput={move} onChange={send}
      />
      <input
        type="number" min={1} max={most} value={draft ?? robots} aria-label={`${label}, as a number`}
        onInput={move} onChange={send} onBlur={forget}
      />
    </span>
  );
}

function textOf(event: Event): string {
  return (event.currentTarget as HTMLInputElement).value;
}

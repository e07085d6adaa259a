import { useState } from 'preact/hooks';

const most = 65_536;

interface Given {
  readonly label: string;
  readonly robots: number;
  /** Of the slider; the number beside it may be greater. */
  readonly sliderMax: number;
  readonly set: (robots: number) => Promise<void>;
}

/** A number of robots as a slider and as a number. What is chosen is sent when the slider is released. */
export function Robots({ label, robots, sliderMax, set }: Given) {
  const [draft, setDraft] = useState<number | null>(null);
  const shown = draft ?? robots;
  const move = (event: Event): void => setDraft(valueOf(event));
  const send = (event: Event): void => {
    const chosen = valueOf(event);
    // What is not a number of robots goes back to what it was.
    setDraft(chosen);
    if (chosen === null) return;
    // Until the run's next state says so, the slider stays where the reader left it.
    void set(chosen).finally(() => setTimeout(() => setDraft(null), 1000));
  };
  return (
    <span class="robots">
      <input
        type="range" min={1} max={Math.max(sliderMax, robots)} value={shown} aria-label={label}
        onInput={move} onChange={send}
      />
      <input
        type="number" min={1} max={most} value={shown} aria-label={`${label}, as a number`} onChange={send}
      />
    </span>
  );
}

function valueOf(event: Event): number | null {
  const value = (event.currentTarget as HTMLInputElement).valueAsNumber;
  return Number.isInteger(value) && value >= 1 && value <= most ? value : null;
}

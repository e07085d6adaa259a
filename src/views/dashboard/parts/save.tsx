import { saved } from '../../report/page/saved.ts';

const types = { svg: 'image/svg+xml', csv: 'text/csv' } as const;

interface Given {
  readonly label?: string;
  /** The name of the file without its end. */
  readonly name: string;
  readonly kind: keyof typeof types;
  readonly words?: string;
  readonly isPossible?: boolean;
  readonly content: () => string;
}

/** A button that saves a picture, or its numbers. */
export function Save({ label, name, kind, words = kind.toUpperCase(), isPossible = true, content }: Given) {
  return (
    <button
      type="button" class="small" aria-label={label} disabled={!isPossible}
      onClick={() => saved(`${name}.${kind}`, types[kind], content())}
    >
      {words}
    </button>
  );
}

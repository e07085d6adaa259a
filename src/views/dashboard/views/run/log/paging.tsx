import type { Pages } from './use-pages.ts';

type Given = Pick<Pages<{ readonly older: string | null }>, 'goOlder' | 'goNewer'> & { readonly what: string };

/** Buttons between pages of a log, which begins with the newest. */
export function Paging({ goOlder, goNewer, what }: Given) {
  if (goOlder === null && goNewer === null) return null;
  return (
    <p class="buttons">
      <button
        type="button" class="small" aria-label={`Newer: ${what}`} disabled={goNewer === null}
        onClick={() => goNewer?.()}
      >
        Newer
      </button>
      <button
        type="button" class="small" aria-label={`Older: ${what}`} disabled={goOlder === null}
        onClick={() => goOlder?.()}
      >
        Older
      </button>
    </p>
  );
}

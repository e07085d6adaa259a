import type { ListedRun, SettingsForms } from '../../service/dashboard/api.ts';
import { short } from '../../report/page/format.ts';

interface Shared {
  /** '' without an error. */
  readonly error: string;
}

interface GraphGiven extends Shared {
  readonly graph: string;
  readonly graphs: SettingsForms['graphs'];
  /** Live crawls that have ended: their graphs can be crawled again. */
  readonly crawls: readonly ListedRun[];
  readonly set: (graph: string) => void;
}

/** The graph of a simulation: one of the catalogue, or a path. */
export function GraphEntry({ graph, graphs, crawls, set, error }: GraphGiven) {
  return (
    <div class="setting wide">
      <label for="graph">Graph</label>
      <span class="entry">
        <input
          id="graph" type="text" value={graph} list="graphs" spellcheck={false} autocomplete="off"
          placeholder={graphs[0]?.name ?? 'a file'} aria-invalid={error !== ''}
          aria-describedby={described('graph', error)}
          onInput={(event) => set(event.currentTarget.value)}
        />
        <datalist id="graphs">
          {graphs.map(({ name, pages }) => (
            <option key={name} value={name}>{pages === null ? '' : `${short(pages)} pages`}</option>
          ))}
          {crawls.map(({ id, name, folder }) => (
            <option key={id} value={folder ?? ''}>{`the crawl of ${name}`}</option>
          ))}
        </datalist>
      </span>
      <p class="note" id="graph-about">
        A name of the catalogue, a file of a graph, or the folder of a finished crawl.
      </p>
      {graphs.length > 0 && (
        <p class="picks">
          {graphs.slice(0, 6).map(({ name, pages }) => (
            <button type="button" class="small" key={name} aria-pressed={graph === name} onClick={() => set(name)}>
              {name}{pages !== null && <small> {short(pages)} pages</small>}
            </button>
          ))}
        </p>
      )}
      {error !== '' && <p class="error" id="graph-error" role="alert">{error}</p>}
    </div>
  );
}

interface NetworkOfGiven extends Shared {
  readonly crawls: readonly ListedRun[];
  /** The id of one of them, or ''. */
  readonly value: string;
  readonly set: (id: string) => void;
}

/** The crawl that the simulated network is fitted to. */
export function NetworkOf({ crawls, value, set, error }: NetworkOfGiven) {
  return (
    <div class="setting">
      <label for="networkOf">Network of a crawl</label>
      <span class="entry">
        <select
          id="networkOf" value={value} aria-invalid={error !== ''} aria-describedby={described('networkOf', error)}
          onChange={(event) => set(event.currentTarget.value)}
        >
          <option value="">none</option>
          {crawls.map(({ id, name, folder }) => <option key={id} value={id}>{`${name} (${folder ?? ''})`}</option>)}
        </select>
      </span>
      <p class="note" id="networkOf-about">
        Latency, bandwidth and faults are fitted to the log of a live crawl, in place of a preset.
      </p>
      {error !== '' && <p class="error" id="networkOf-error" role="alert">{error}</p>}
    </div>
  );
}

interface SeedsGiven extends Shared {
  readonly seeds: readonly string[];
  readonly set: (seeds: readonly string[]) => void;
}

/** The URLs where a live crawl starts. */
export function SeedsEntry({ seeds, set, error }: SeedsGiven) {
  const add = (): void => {
    set([...seeds, '']);
    // Once the new input is there.
    setTimeout(() => document.getElementById(`seed-${seeds.length}`)?.focus());
  };
  const remove = (at: number): void => {
    set(seeds.filter((_, i) => i !== at));
    document.getElementById('seed-add')?.focus();
  };
  return (
    <fieldset class="setting wide seeds">
      <legend>Seed URLs</legend>
      {seeds.map((seed, i) => (
        <span class="entry" key={i}>
          <input
            id={`seed-${i}`} type="text" inputMode="url" value={seed} spellcheck={false} autocomplete="off"
            placeholder="https://www.example.org/" aria-label={`Seed URL ${i + 1}`} aria-invalid={error !== ''}
            aria-describedby={described('seeds', error)}
            onInput={(event) => set(seeds.map((one, at) => (at === i ? event.currentTarget.value : one)))}
          />
          {seeds.length > 1 && (
            <button type="button" class="small" aria-label={`Remove seed URL ${i + 1}`} onClick={() => remove(i)}>
              Remove
            </button>
          )}
        </span>
      ))}
      <button type="button" class="small" id="seed-add" onClick={add}>Add a URL</button>
      <p class="note" id="seeds-about">
        The pages where the crawl starts. From there it follows links, to other hosts too.
      </p>
      {error !== '' && <p class="error" id="seeds-error" role="alert">{error}</p>}
    </fieldset>
  );
}

function described(id: string, error: string): string {
  return error === '' ? `${id}-about` : `${id}-error ${id}-about`;
}

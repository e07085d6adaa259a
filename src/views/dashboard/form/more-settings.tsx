import { useEffect, useState } from 'preact/hooks';
import { counted } from '../../report/page/format.ts';
import { soughtFields, type Field } from './fields.ts';
import { Setting } from './setting.tsx';
import type { Typed } from './values.ts';

interface Given {
  readonly fields: readonly Field[];
  readonly typed: Typed;
  /** The path of the setting with an error, and the error. */
  readonly wrong: { readonly path: string; readonly error: string } | null;
  readonly set: (path: string, value: string) => void;
}

/** All settings but the main ones, under the headings of their objects, to be searched. */
export function MoreSettings({ fields, typed, wrong, set }: Given) {
  const [isOpen, setOpen] = useState(false);
  const [sought, setSought] = useState('');
  const mustShow = fields.some(({ path }) => path === wrong?.path);
  useEffect(() => {
    if (mustShow) setOpen(true);
  }, [mustShow]);
  const matches = soughtFields(fields, sought);
  const visible = fields.filter((field) => matches.includes(field) || field.path === wrong?.path);
  const groups = [...new Set(visible.map(({ group }) => group))];
  const changed = fields.filter(({ path }) => (typed[path] ?? '') !== '').length;
  return (
    <details class="more" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>More settings{changed > 0 && ` (${changed} set)`}</summary>
      {isOpen && (
        <>
          <label class="search">
            <span>Search settings</span>
            <input type="search" value={sought} onInput={(event) => setSought(event.currentTarget.value)} />
          </label>
          <p class="note">
            Policies and scores of your own, and networks fitted to a crawl, are given on the command line.
          </p>
          <p class="note" role="status">{sought === '' ? '' : `${counted(matches.length, 'setting')} found.`}</p>
          {groups.map((group) => (
            <fieldset class="group" key={group}>
              <legend>{group === '' ? 'Crawl' : group}</legend>
              <div class="settings">
                {visible.filter((field) => field.group === group).map((field) => (
                  <Setting
                    key={field.path} field={field} value={typed[field.path] ?? ''} set={set}
                    error={wrong?.path === field.path ? wrong.error : ''}
                  />
                ))}
              </div>
            </fieldset>
          ))}
        </>
      )}
    </details>
  );
}

import { useRef, useState } from 'preact/hooks';

interface Given {
  readonly text: string;
  /** What it is, for the button's name: "command". */
  readonly what: string;
}

/** Text to take away, with a button that copies it. */
export function Copyable({ text, what }: Given) {
  const pre = useRef<HTMLPreElement>(null);
  const [message, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied.');
    } catch {
      // Not allowed here: the reader copies what is selected.
      getSelection()?.selectAllChildren(pre.current!);
      setSaid('Selected: press Ctrl+C or Cmd+C.');
    }
    setTimeout(() => setSaid(''), 4000);
  };
  return (
    <div class="copyable">
      <pre ref={pre} tabIndex={0} role="region" aria-label={`Text of the ${what}`}>{text}</pre>
      <button type="button" class="small" aria-label={`Copy the ${what}`} onClick={() => void copy()}>Copy</button>
      <span class="said" role="status">{message}</span>
    </div>
  );
}

/** The command of a run, and the folder that it writes. @param folderIs - "Record" or "Folder". */
export function CommandSection({ command, folder, folderIs }: {
  readonly command: string; readonly folder: string | null; readonly folderIs: string;
}) {
  return (
    <section aria-labelledby="command">
      <h2 id="command">Command</h2>
      <Copyable text={command} what="command" />
      {folder !== null && <p class="note">{folderIs}: <code>{folder}</code></p>}
    </section>
  );
}

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Process, machine, start of the machine and of the process; the last two only if the system reports them. */
const holderForm = /^(?<pid>[0-9]{1,10}) (?<host>\S+)(?: (?<boot>\S+) (?<start>\S+))?\n$/;

/** The parts of such a text; undefined if it is none. */
export function holderOf(text: string): Partial<Record<string, string>> | undefined {
  return holderForm.exec(text)?.groups;
}

/** A text that names this process. */
export function holderText(): string {
  const [boot, start] = [bootOf(), startOf('self')];
  return `${process.pid} ${hostname()}${boot === undefined || start === undefined ? '' : ` ${boot} ${start}`}\n`;
}

/**
 * Whether the text names another machine. Containers of one machine have different names, but the same boot time.
 */
export function isElsewhere(text: string): boolean {
  const holder = holderOf(text);
  return (
    holder !== undefined &&
    holder['host'] !== hostname() &&
    (holder['boot'] === undefined || holder['boot'] !== bootOf())
  );
}

/** Whether the process that the text names is on this machine and still running. */
export function isAlive(text: string): boolean {
  const holder = holderOf(text);
  if (holder === undefined) return false;
  const { pid = '', boot, start } = holder;
  try {
    // Signal 0 only checks whether the process exists.
    process.kill(Number(pid), 0);
  } catch (error) {
    // Otherwise it is a process of another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // Its number may have been reused by another process.
  return start === undefined || (boot === bootOf() && start === (startOf(pid) ?? start));
}

let machine: string | undefined;

/**
 * Names, for the name of a file, what a process id is an id of: the machine, and on Linux its pid namespace, since
 * containers that share the network of their machine share its name, too.
 */
export function machineName(): string {
  return (machine ??= `${hostname().replace(/[^\w.-]/g, '_')}-${pidNamespace()}`);
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '0';
  }
}

function bootOf(): string | undefined {
  return textOf('/proc/sys/kernel/random/boot_id')?.trim();
}

/**
 * When a process began, in the machine's clock ticks; '' if it has ended and its parent has not asked how. The name
 * before it may contain spaces and parentheses (proc(5)).
 */
function startOf(pid: string): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' ? '' : fields?.[19];
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fault } from './faults.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const longestMs = 120_000;

/** The text of a file with the fault in it. Throws where its place is not found, or found twice. */
export function seeded(text: string, { name, file, before, after }: Fault): string {
  const parts = text.split(before);
  if (parts.length !== 2)
    throw new Error(`fault "${name}": src/${file} has its text ${parts.length - 1} times, not once:\n${before}`);
  return parts.join(after);
}

export const textOf = ({ file }: Fault): string => readFileSync(join(root, 'src', file), 'utf8');

/** A swarm of a copy: the words that choose it, its seeds, and how long it may take. */
interface HuntingSwarm {
  readonly which: readonly string[];
  readonly from: number;
  readonly seeds: number;
  /** Whether a seed that takes too long is one that hangs: in virtual time none does, and it fails. */
  readonly mayHang: boolean;
}

/** What the swarm says; until a seed fails. */
async function swarm(folder: string, { which, from, seeds, mayHang }: HuntingSwarm): Promise<string> {
  const counts = ['--from', String(from), '--seeds', String(seeds)];
  const command = ['--import', 'tsx', 'test/swarm/main.ts', ...which, ...counts, '--no-shrink'];
  const child = spawn(process.execPath, command, { cwd: folder });
  const late = mayHang ? setTimeout(() => child.kill('SIGKILL'), longestMs) : undefined;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(late);
  return code === null ? `hangs (${longestMs / 1000} s)` : output;
}

/**
 * Seeds each fault into a copy of the sources and runs the swarm there until it is found. Prints a line a fault.
 * @returns how many were not found in so many seeds.
 */
export async function hunt(faults: readonly Fault[], hunting: HuntingSwarm, only = ''): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-faults-'));
  let missed = 0;
  try {
    for (const name of ['src', 'test/swarm', 'package.json', 'tsconfig.json']) {
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(folder, name));
    for (const fault of faults.filter(({ name }) => name.includes(only))) {
      const text = textOf(fault);
      const file = join(folder, 'src', fault.file);
      writeFileSync(file, seeded(text, fault));
      const output = await swarm(folder, { ...hunting, from: fault.from ?? hunting.from });
      writeFileSync(file, text);
      const found = /seed (\d+) fails: (.*)/.exec(output);
      if (found === null && !output.startsWith('hangs')) missed++;
      const reported =
        found === null
          ? output.startsWith('hangs')
            ? output
            : `NOT FOUND: ${output.trim()}`
          : `seed ${found[1]}; ${found[2]}`;
      console.log(`${fault.name}\n    ${reported.slice(0, 200)}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return missed;
}

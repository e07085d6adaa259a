import { execFileSync } from 'node:child_process';

/** What Python code prints, given words as `sys.argv[1]` and on. */
export function python(code: string, ...words: string[]): string {
  return execFileSync('python3', ['-W', 'ignore', '-c', code, ...words], { encoding: 'utf8', stdio: 'pipe' });
}

export const networkxIsHere = ((): boolean => {
  try {
    python('import networkx');
    return true;
  } catch {
    return false;
  }
})();

/** For the title of tests that need it. */
export const networkxIsMissing = networkxIsHere ? '' : ' (skipped: python3 or its package networkx is not here)';

import { execFileSync } from 'node:child_process';

/** What Python code prints, given words as `sys.argv[1]` and on. */
export function python(code: string, ...words: string[]): string {
  return execFileSync('python3', ['-W', 'ignore', '-c', code, ...words], { encoding: 'utf8', stdio: 'pipe' });
}

export const networkxIsHere = ((): boolean => {
  try {
    // Found, not loaded: that alone takes half a second.
    return python("import importlib.util as i; print(i.find_spec('networkx') is not None)") === 'True\n';
  } catch {
    return false;
  }
})();

/** For the title of tests that need it. */
export const networkxIsMissing = networkxIsHere ? '' : ' (skipped: python3 or its package networkx is not here)';

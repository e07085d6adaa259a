import { useEffect, useState } from 'preact/hooks';
import type { Theme } from './colours.ts';

/** The colours of the page, as they are now. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState(themeNow);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const change = (): void => setTheme(themeNow());
    scheme.addEventListener('change', change);
    return () => scheme.removeEventListener('change', change);
  }, []);
  return theme;
}

function themeNow(): Theme {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    palette: Array.from({ length: 8 }, (_, i) => colour(`--run-${i}`)), ink: colour('--ink'), soft: colour('--soft'),
    paper: colour('--raised'),
  };
}

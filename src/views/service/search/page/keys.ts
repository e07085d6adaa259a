/**
 * Keys on a page of results: `/` goes to the search box, `j` and `k` (or the arrows) to the next and the previous
 * result. Enter opens the result, as on every link. The page works without them.
 */
const box = document.querySelector<HTMLInputElement>('input[type=search]');
const results = [...document.querySelectorAll<HTMLAnchorElement>('.result h2 a')];

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  // It has these keys itself.
  if (document.activeElement instanceof HTMLSelectElement) return;
  const isTyping = document.activeElement instanceof HTMLInputElement;
  if (event.key === '/' && !isTyping) {
    box?.focus();
    box?.select();
  } else if (event.key === 'Escape' && isTyping) box?.blur();
  else if (event.key === 'ArrowDown' || (event.key === 'j' && !isTyping)) go(1);
  else if (event.key === 'ArrowUp' || (event.key === 'k' && !isTyping)) go(-1);
  else return;
  event.preventDefault();
});

function go(steps: number): void {
  const at = results.findIndex((result) => result === document.activeElement);
  const next = at < 0 && steps < 0 ? -1 : at + steps;
  if (next < 0) box?.focus();
  else results.at(Math.min(next, results.length - 1))?.focus();
}

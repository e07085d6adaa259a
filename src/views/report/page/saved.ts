let lastUrl: string | undefined;

/** Gives the reader a file. */
export function saved(name: string, type: string, content: string | Blob): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  // The browser has read the last file when the next one comes.
  if (lastUrl !== undefined) URL.revokeObjectURL(lastUrl);
  lastUrl = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = lastUrl;
  link.download = name.replace(/[^\w.-]+/g, '-');
  link.click();
}

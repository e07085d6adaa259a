import type { HubWorld } from './hub.ts';

/** The browser's own clock and connections. */
export const browserWorld: HubWorld = {
  open: (url, listener) => {
    const source = new EventSource(url);
    source.onopen = () => listener.opened();
    source.onerror = () => listener.failed(source.readyState === EventSource.CLOSED);
    source.onmessage = ({ data }: MessageEvent<string>) => listener.message(data);
    source.addEventListener('runs', () => listener.runs());
    return source;
  },
  later: (call, ms) => void setTimeout(call, ms),
};

/** A SharedWorker: one connection to the server for all tabs of a browser, which may open only six to a host. */
import { Hub, type Tab } from './hub.ts';
import type { FromTab } from './messages.ts';
import { browserWorld } from './open-source.ts';

const hub = new Hub(browserWorld);

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  const tab: Tab = { send: (message) => port.postMessage(message) };
  port.onmessage = ({ data }: MessageEvent<FromTab>) => hub.hear(tab, data);
});

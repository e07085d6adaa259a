import { htmlType, type Reply } from '../../src/views/service/web/site.ts';
import type { NoReply, Site, SiteRequest } from '../../src/views/service/index.ts';

/** What a test writes down of an answer; 200 and HTML where it says nothing else. */
export interface Written {
  readonly status?: number;
  /** Names and values by turns. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
  readonly beginsAfterUs?: number;
}

/**
 * A web that a test writes down: an answer to each URL (without its scheme), by how often it was asked for before;
 * undefined: 404.
 */
export class WrittenSite implements Site {
  readonly name = 'written';
  readonly #answers: (url: string, times: number) => Written | NoReply | undefined;
  readonly #asked = new Map<string, number>();

  constructor(answers: (url: string, times: number) => Written | NoReply | undefined) {
    this.#answers = answers;
  }

  hasHost(): boolean {
    return true;
  }

  reply({ host, path }: SiteRequest): Reply | NoReply {
    const url = host + path;
    const times = this.#asked.get(url) ?? 0;
    this.#asked.set(url, times + 1);
    const written = this.#answers(url, times) ?? { status: 404 };
    if ('resetAfterUs' in written) return written;
    const { status = 200, headers = htmlType, body = '', beginsAfterUs = 0 } = written;
    const bytes = Buffer.from(body);
    return { status, headers, bytes: bytes.length, body: [bytes], beginsAfterUs, bytesPerUs: Infinity };
  }
}

/** A page with these links. */
export function linking(...hrefs: readonly string[]): Written {
  return {
    body: `<!doctype html><title>page</title>${hrefs.map((href) => `<a href="${href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">link</a>`).join('\n')}`,
  };
}

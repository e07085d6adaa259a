import { DrawStream } from '../../base/index.ts';

/** The contents of hosts' robots.txt (RFC 9309, plus the non-standard Crawl-delay): drawn by host and by page. */
export class RobotsTxt {
  readonly #share: number;
  readonly #delayShare: number;
  readonly #delayUs: number;
  readonly #deniedShare: number;
  readonly #files: DrawStream;
  readonly #delays: DrawStream;
  readonly #denials: DrawStream;

  /**
   * @param share of hosts that have one.
   * @param delayShare of these, the share that asks for a delay of `delayUs`.
   * @param deniedShare of the pages of these hosts, the share that robots may not fetch.
   */
  constructor(share: number, delayShare: number, delayUs: number, deniedShare: number, seed: number) {
    this.#share = share;
    this.#delayShare = delayShare;
    this.#delayUs = delayUs;
    this.#deniedShare = deniedShare;
    this.#files = new DrawStream(seed, 'robots.txt');
    this.#delays = new DrawStream(seed, 'crawl delay');
    this.#denials = new DrawStream(seed, 'robots denied');
  }

  isAt(host: number): boolean {
    return this.#files.uniform(host) < this.#share;
  }

  /** The delay of a host that has a robots.txt. */
  delayUs(host: number): number {
    return this.#delays.uniform(host) < this.#delayShare ? this.#delayUs : 0;
  }

  /** Whether the robots.txt of the page's host denies it. */
  denies(page: number): boolean {
    return this.#denials.uniform(page) < this.#deniedShare;
  }
}

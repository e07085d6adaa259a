import { WorldError } from '../../../base/index.ts';
import type { FaultReason } from './answer.ts';

/** A Fault, thrown to whoever waits for the answer. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly reason: FaultReason;

  constructor(reason: FaultReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** What undici's limits are called here, by their codes. */
const limitReasons: ReadonlyMap<string, FaultReason> = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', 'connect time-out'], ['UND_ERR_HEADERS_TIMEOUT', 'headers time-out'],
  ['UND_ERR_BODY_TIMEOUT', 'body time-out'], ['UND_ERR_HEADERS_OVERFLOW', 'headers too long'],
]);

/** How far a download had come when it failed. */
export type Stage = 'connecting' | 'head' | 'body';

/**
 * The reason of an error of a socket, of TLS (if `secure`) or of undici.
 *
 * Errors   WorldError if the limit is this machine's, not the host's: no more sockets can be opened.
 */
export function reasonOf(error: Error, stage: Stage, secure: boolean): FaultReason {
  if (error instanceof FaultError) return error.reason;
  const { code = '' } = error as NodeJS.ErrnoException;
  const limitReason = limitReasons.get(code);
  if (limitReason !== undefined) return limitReason;
  // While the head is read, undici reports any error after a Content-Length this way.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return stage === 'body' ? 'wrong length' : 'malformed answer';
  if (code === 'UND_ERR_SOCKET') {
    // undici's messages for a response to no request; otherwise the connection ended, within a body too early.
    if (error.message.startsWith('bad ')) return 'malformed answer';
    return { connecting: 'connection refused', head: 'connection reset', body: 'wrong length' }[stage] as FaultReason;
  }
  if (code === 'HPE_INVALID_EOF_STATE' && stage === 'body') return 'wrong length';
  if (code === 'EMFILE' || code === 'ENFILE' || code === 'ENOBUFS') {
    throw new WorldError(`no more connections can be opened: ${error.message}`);
  }
  if (code === 'ETIMEDOUT') return stage === 'connecting' ? 'connect time-out' : 'connection reset';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED')
    return stage === 'connecting' ? 'connection refused' : 'connection reset';
  if (stage !== 'connecting') return 'malformed answer';
  // The system's codes begin with E; TLS's begin with ERR_ or name the fault of a certificate.
  return secure && (code === 'EPROTO' || !/^E[A-Z]+$/.test(code)) ? 'TLS not valid' : 'connection refused';
}

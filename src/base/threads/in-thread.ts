import { parentPort } from 'node:worker_threads';
import { failureOf, type Reply } from './failure.ts';

/** A message from a thread to the handle that started it. */
export type ThreadMessage =
  | { readonly kind: 'started' }
  | { readonly kind: 'reply'; readonly ask: number; readonly reply: Reply<unknown> }
  | { readonly kind: 'remark'; readonly remark: unknown };

export interface Ask<Question> {
  readonly ask: number;
  readonly question: Question;
}

/** Called in a thread of a WorkerHandle: answers requests from now on, and reports that the thread has started. */
export function answerOwner(answer: (question: never) => unknown): void {
  const port = parentPort!;
  const replyTo = replying(answer);
  port.on('message', ({ ask, question }: Ask<never>) => {
    void replyTo(question).then((reply) => {
      const send = (message: ThreadMessage): void => { port.postMessage(message); };
      try {
        send({ kind: 'reply', ask, reply });
      } catch (error) {
        // An answer that cannot be cloned must not leave the owner waiting.
        send({ kind: 'reply', ask, reply: { kind: 'failure', failure: failureOf(error) } });
      }
    });
  });
  port.postMessage({ kind: 'started' } satisfies ThreadMessage);
}

/** Called in a thread of a WorkerHandle: sends an unsolicited message. */
export function remarkToOwner(remark: unknown): void {
  parentPort!.postMessage({ kind: 'remark', remark } satisfies ThreadMessage);
}

/** The first task of a pool's new thread, to check that it has started. */
export const startTask = null;

/** Makes the default export of a pool's worker module: `work` answers tasks, which are never null. */
export function poolWorker<Task, Answer>(work: (task: Task) => Answer | Promise<Answer>) {
  const replyTo = replying(work);
  return (task: Task | typeof startTask) => (task === startTask ? undefined : replyTo(task));
}

function replying<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>) {
  return async (question: Question): Promise<Reply<Answer>> => {
    try {
      return { kind: 'answer', answer: await answer(question) };
    } catch (error) {
      return { kind: 'failure', failure: failureOf(error) };
    }
  };
}

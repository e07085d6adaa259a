/**
 * Answers to the messages of a stream, in their order, while further messages are read: at most `maxOpen` of them wait
 * for their answers. A client that does not read its answers is read no further.
 */
export async function* pipelined<T, R>(
  messages: AsyncIterable<T>, maxOpen: number, answer: (message: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const iterator = messages[Symbol.asyncIterator]();
  const open: Promise<R>[] = [];
  const readMode = 'read';
  let isEnded = false;
  let next: Promise<IteratorResult<T>> | undefined;
  while (!isEnded || open.length > 0) {
    if (!isEnded && open.length < maxOpen) {
      next ??= iterator.next();
      const first = open.length === 0 ? readMode : await Promise.race([next.then(() => readMode), open[0]]);
      if (first === readMode) {
        const message = await next;
        next = undefined;
        if (message.done === true) isEnded = true;
        else open.push(answer(message.value));
        continue;
      }
    }
    yield await open.shift()!;
  }
}

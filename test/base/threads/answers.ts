import { AssertionError, InputError, WorldError, type InputErrorOptions } from '../../../src/base/index.ts';

export type Question =
  | { readonly kind: 'throw'; readonly name: string; readonly message: string; readonly field?: string }
  | { readonly kind: 'square'; readonly of: number }
  | { readonly kind: 'double'; readonly all: Float64Array<ArrayBuffer> }
  | { readonly kind: 'exit' | 'throw later' | 'fill memory' | 'never' | 'spin' | 'function' };

const errors: Record<string, new (message: string, options?: InputErrorOptions) => Error> = {
  AssertionError, InputError, RangeError, TypeError, WorldError,
};

/** What the threads of these tests answer, if they do. */
export function answerTo(question: Question): unknown {
  switch (question.kind) {
    case 'throw':
      throw new (errors[question.name] ?? Error)(question.message, { field: question.field });
    case 'square':
      return question.of ** 2;
    case 'double':
      return question.all.map((value) => 2 * value);
    case 'exit':
      return process.exit(7);
    case 'throw later':
      setTimeout(() => {
        throw new TypeError('nobody waits');
      }, 1);
      return new Promise(() => undefined);
    case 'fill memory': {
      const all: number[][] = [];
      for (;;) all.push(new Array<number>(10_000).fill(Math.random()));
    }
    case 'never':
      return new Promise(() => undefined);
    case 'spin':
      for (;;);
    case 'function':
      return answerTo;
  }
}

/** A worker: arranging takes a second or two, in which the page goes on. */
import { arranged, type Unarranged } from './arrange.ts';

addEventListener('message', ({ data }: MessageEvent<Unarranged>) => postMessage(arranged(data)));

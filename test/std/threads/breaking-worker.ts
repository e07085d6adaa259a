import { InputError } from '../../../src/std/index.ts';

throw new InputError('no such queue');

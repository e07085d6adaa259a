import { InputError } from '../../../src/base/index.ts';

throw new InputError('no such queue');

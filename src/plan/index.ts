export { changed, whatIf, whatIfKinds, type WhatIf, type WhatIfKind } from './what-if.ts';

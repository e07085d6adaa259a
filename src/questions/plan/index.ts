export { machineHours, parsePrices } from './cost.ts';
export type { Choice } from './finals/finalists.ts';
export { goalInWords, parseGoal, type Goal } from './goal.ts';
export { laddersOf, variable, variablesIn, type Ladders } from './ladders.ts';
export { makePlan, type Consequence, type Plan, type PlanRequest } from './make-plan.ts';
export { bestOf, isMet, objectiveOf, ordered, trialCost, type Objective } from './objective.ts';
export {
  PlanInterrupted, planScript, Trials, type SetUp, type Trial, type TrialsDone, type TrialsOptions,
} from './trials/trials.ts';
export { changed, whatIf, whatIfKinds, type WhatIf, type WhatIfKind } from './what-if.ts';
export { planFlagsSchema, readPlanFile, requestOf, type WrittenRequest } from './request.ts';
export { Standings, type Standing } from './trials/standings.ts';

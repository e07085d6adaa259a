export { findingsOf, type Change, type Finding } from './findings.ts';
export { stops, type Stop, type TourRun, type TourRuns } from './stops.ts';

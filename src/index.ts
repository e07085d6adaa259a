/** The public library of Orbweaver. The queues alone: `orbweaver/queue`. */
export {
  assert, AssertionError, InputError, WorldError, BitSet, DrawStream, exp, inverseNormal, log, editDistance, grown,
  IdIndex, LargeMap, LargeSet, pageGrowth, PageIndex, kernelModule, nearest, xorshift32, quoted,
} from './base/index.ts';
export { makeFolder, LOCK_FILE, lockFolder, writeAll, writeError, writeFiles } from './base/files/index.ts';
export {
  bytesPerArc, type GraphRows, type Hosts, type WebGraph, StringTable, restoredGraph, asSharedUint32, sharedFloat64,
  sharedUint32, sharedUint8, buildGraph, graphOfRows, type GraphParts, checkGraph, graphFault, type GraphFault,
  transpose, type InArcs, hostsFromNames, syntheticHosts, breadthFirstOrder, hostOrder, reordered, subgraph, prepare,
  type PreparedGraph, reach, type Reach, defaultSeeds, type DefaultSeeds, hostGraph, hostGraphFacts, hostGraphology,
  partitionModularity, type HostAttributes, type HostDegree, type HostGraph, type HostGraphFacts,
  type HostLinkAttributes, type PartitionModularity, fromGraphology, toGraphology, type PageAttributes, type PageGraph,
  type WebGraphAttributes, copying, copyingDefaults, type CopyingOptions, kronecker, type KroneckerOptions,
  graphChecksum, histogramOf, inDegrees, outDegrees, placesOfLargest, type Histogram, fitPowerLaw, leastTail,
  powerLawAbove, type PowerLawFit, plausibility, type Plausibility, strongComponents, weakComponents, type Components,
  bowTie, bowTieParts, type BowTie, type BowTiePart, distancesOf, exactNeighbourhoods, type Distances, type Estimate,
  counterDeviation, hyperBall, hyperBallBytes, maxKernelBytes, minRegistersLog2, maxRegistersLog2,
  type HyperBallOptions,
} from './graph/index.ts';
export {
  openFiles, openGraph, catalogue, nearestNames, type CatalogueEntry, publicDatasets, type PublicDataset, fetchDataset,
  type FetchedDataset, type FetchOptions, type FetchProgress, datasetsFolder, fetchedFolder, fetchedNames, readRecord,
  studiesFolder, verifyDataset, type DatasetRecord, type FileRecord, type VerifiedFile, downloadLimits,
  type DownloadLimits, type DownloadMachine,
} from './catalogue/index.ts';
export {
  formatNames, type FormatName, formats, type Format, type OpenOptions, stores, type Store, type ReadOptions,
  readEdgeList, readEdgeLists, readAdjacencyList, readHostTables, readHostGraph, readNamedPairs, readNumberedUrls,
  readTaggedUrls, readUrlBlocks, readMatrix, readMetis, readGml, readPajek, folderHost, readSite, type SiteOptions,
  readBvGraph, writeBvGraph, type BvGraphOptions, writeEdgeList, type LinkStoreOptions, readTables, readWarc,
  type WarcOptions, readOwg, writeOwg, writeOwgRows, type WriteRowsOptions, readPreference, readScores, scoresChecksum,
  type Scores, type ScoresForm, readUrlScores, checkScoresFile, writeScores,
} from './formats/index.ts';
export {
  contentCodings, withoutCoding, htmlLinks, type HtmlLinks, type HtmlLinksOptions, htmlText, beginsAsHtml, isHtmlType,
  statedType, robotsTag, saysNofollow, saysNoindex, canonicalUrl, spelled,
} from './web/index.ts';
export {
  pageRank, PageRankSolver, type PageRankOptions, type PageRankSteps, type PageRank, type SolveOptions, PageRankThreads,
  threadedPageRank, plainPageRank, pageRankResidual, opicRank, type OpicOptions, type OpicRank, opicDistance,
  opicResidual, partitionedPageRank, type PartitionedPageRank, type PartitionedPageRankOptions,
  partitionedPageRankDistance, inDegreeRank, type InDegreeRank, checkInDegree,
} from './rank/index.ts';
export {
  createQueue, leastQueueMemoryBytes, BinaryHeap, siftUp, BucketQuickHeap, entryIndex, entryKey, keyLimit, keyOfScore,
  packEntry, SortedCbt, blockSizeLimit, CbtKernel, WasmCbt, expectedMissedFraction, missedFraction, gatherGreater,
  leastOf, partition, selectTop, assertBatch, assertExtraction, queueKinds, slicings, type IoCounts, type PriorityQueue,
  type QueueKind, type QueueOptions, type Slicing, ThreadedSlices, type ThreadedSlicesOptions, SlicedQueue, sliceOf,
  type SliceCounts, type SlicedQueueOptions, createPagedQueue, nodeFileAccess, openPagedQueue, pagedQueueKinds,
  type FileAccess, type OpenPagedQueueOptions, type PagedQueue, type PagedQueueKind, type PagedQueueOptions,
  QuickHeapKernel, WasmQuickHeap,
} from './queue/index.ts';
export {
  ConsistentHashing, hostHash, jumpBucket, jumpHash, largestProcessingTime, registrableDomain, Outbox, type OutboxState,
  type Pairs, MemoryTransport, noTraffic, type Barrier, type BarrierCost, type Traffic, type Transport,
} from './bsp/index.ts';
export type { outcomeKinds, OutcomeKind, FetchRequest, Outcome, World } from './world/index.ts';
export {
  type FrontierState, newCounts, type SuperstepCounts, Frontier, pageStates, stateCode, type PageState, PendingJobs,
  backoffUs,
} from './frontier/index.ts';
export {
  CashInvariant, cashOf, Invariants, type CashHeld, Processor, type ProcessorOptions,
} from './scheduler/index.ts';
export {
  definePolicy, loadPolicy, parseExperiment, policyNames, PolicyRegistry, PolicyState, shippedPolicies, type Amounts,
  type Cash, type OptionValues, type PageOrder, type Policy, type PolicyContext, type PolicyDefinition,
  type PolicyName, type PolicyOptions, type RunFacts, type SavedState,
} from './policy/index.ts';
export { Crashes, Network, type NetworkOptions, RobotsTxt, SimulatedWorld, type Visit } from './simulation/index.ts';
export {
  superstepColumns, type Failure, type RunEvents, agreement, kendallTauB, type Agreement, type TopOverlap,
  measureBalance, type Harvest, type HotPageRecall, largestHost, type LargestHost, type ParallelFigures, interval,
  type Interval, commonRanks, compareOrders, type OrderAgreement, placesByProcessor, measureQuality, type Milestones,
  type Quality, type QualityInput, type RunCurves, MemoryRecord, DiskRecord, type RunOrigin, type RunRecord, TotalOrder,
  ReplayHash, replayHash, OutputFolder, recordFiles, readRunEvents, readRunJson, readIncomplete, type IncompleteRun,
  verifyRun, type VerifiedSettings, summarise, type SummaryInput, type Tail,
  failuresInWords, type DatasetFacts, type Balance, type Communication, type RunSummary, type PartitionFigures,
  type RunMemory, type RunJson, type RunResult,
} from './measure/index.ts';
export type {
  Change, Crash, PageNames, RolledBack, RunEnd, RunSink, RunStarted, SuperstepEnd, SuperstepRow,
} from './events/index.ts';
export {
  simulate, type Progress, type SimulateOptions, tune, type TuneOptions, type TuneResult, runTrial, tuneContext,
  untimed, type SweepRow, type Trial, type TrialOptions, type TuneContext, peakResidentBytes, trueRanks,
  type GivenScores, progressSink, RunControl, type RunSnapshot, type ProcessorSnapshot, type ExactCheckpoint,
  type ExactCheckpoints, partitionHosts, processorByName, frontierSettings, settle, settleSeeds,
  type QueueMaker, type WorldMaker, crawl, type CrawlSetup, stateOf, runResult, type EndedCrawl,
} from './engine/index.ts';
export {
  exchanges, networkPresetNames, networkSchema, partitionNames, Settings, type Experiment, type ExperimentInput,
  type OptionValue, type PolicyFacts, type PolicyNeed, type PolicyOption, type PolicyOrigin, type SettledExperiment,
} from './settings/index.ts';
export {
  analyse, readStudy, runStudy, studyOf, studyParts, studyReport, type Analysis, type Combination, type Study,
  type StudyOptions, type StudyOutcome, type StudyResult,
} from './study/index.ts';
export {
  type Curve, type ReportData, reportData, type LabelledRun, type ReportOptions, reportHtml, shownHtml, type Axis,
  type Bars, type Chart, type Column, type Point, type Series, type Shown, type ShownPart, type ShownReport,
  type ShownTable, thin,
} from './report/index.ts';
export {
  FolderSite, type FolderSiteOptions, type ServedFolder, GraphSite, type GraphSiteOptions, PageUrls, logLine,
  type LoggedRequest, type NoReply, type Reply, type Site, type SiteRequest, WebServer, type WebServerOptions,
} from './service/index.ts';

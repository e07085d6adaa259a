import type { CallContext, CallOptions } from 'nice-grpc-common';
import type protobuf from 'protobufjs';
import { codecOf, schema } from './codec.ts';
import type {
  AckMessage, Active, BatchAck, BlockQueueParams, Boolean, CountUrlParams, CrawlLimitParams, DeepPartial,
  DeleteCrawlMessage, DiscoveredBatch, Empty, GetParams, ListUrlParams, Local, LogLevelParams, Long, Pagination,
  PurgeUrlParams, QueueDelayParams, QueueList, QueueWithinCrawlParams, Stats, StringList, URLInfo, URLItem,
  URLStatusRequest,
} from './messages.ts';
import { serviceName } from './schema.ts';

/** The calls of the protocol: what each is sent, and what it answers. */
interface Protocol {
  /** The addresses of the nodes of a frontier. */
  listNodes: [sent: Empty, answer: StringList];
  /** The ids of its crawls. */
  listCrawls: [sent: Local, answer: StringList];
  /** Deletes a crawl; answers with the number of its URLs. */
  deleteCrawl: [sent: DeleteCrawlMessage, answer: Long];
  /** Queues that have URLs to fetch and are not blocked; or all. */
  listQueues: [sent: Pagination, answer: QueueList];
  /** URLs that are due, each under a lease. */
  getURLs: [sent: GetParams, answer: Stream<URLInfo>];
  /** Stores URLs: those that were discovered if they are new, those that are known in any case. */
  putURLs: [sent: Stream<URLItem>, answer: Stream<AckMessage>];
  /** Stores discovered URLs, such as the links of a page, with one answer for all of them. */
  putDiscovered: [sent: Stream<DiscoveredBatch>, answer: Stream<BatchAck>];
  /** The counts of a crawl, or of one of its queues. */
  getStats: [sent: QueueWithinCrawlParams, answer: Stats];
  /** Deletes a queue; answers with the number of its URLs. */
  deleteQueue: [sent: QueueWithinCrawlParams, answer: Long];
  /** Nothing of the queue is handed out before a time. */
  blockQueueUntil: [sent: BlockQueueParams, answer: Empty];
  /** Begins to hand out URLs, or ends it; they can be put all the while. */
  setActive: [sent: Active, answer: Empty];
  /** Whether URLs are handed out. */
  getActive: [sent: Local, answer: Boolean];
  /** The pause between two hand-outs of a queue, or of all. */
  setDelay: [sent: QueueDelayParams, answer: Empty];
  /** How much the service logs. */
  setLogLevel: [sent: LogLevelParams, answer: Empty];
  /** The most URLs of a queue that are fetched. */
  setCrawlLimit: [sent: CrawlLimitParams, answer: Empty];
  /** What is known of a URL. */
  getURLStatus: [sent: URLStatusRequest, answer: URLItem];
  /** URLs, whether they are due or not. */
  listURLs: [sent: ListUrlParams, answer: Stream<URLItem>];
  /** The number of URLs that listURLs would list. */
  countURLs: [sent: CountUrlParams, answer: Long];
  /** Deletes old URLs; answers with their number. */
  purgeURLs: [sent: PurgeUrlParams, answer: Long];
}

/** Messages of a call that may have several. */
export interface Stream<T> {
  readonly of: T;
}

type Sent<T> = T extends Stream<infer M> ? AsyncIterable<DeepPartial<M>> : DeepPartial<T>;
type Received<T> = T extends Stream<infer M> ? AsyncIterable<M> : T;

/** The calls as a client makes them. */
export type URLFrontierClient = {
  [K in keyof Protocol]: (request: Sent<Protocol[K][0]>, options?: CallOptions) =>
  Protocol[K][1] extends Stream<infer M> ? AsyncIterable<M> : Promise<Protocol[K][1]>;
};

/** The calls as a server answers them. */
export type URLFrontierAnswers = {
  [K in keyof Protocol]: (request: Received<Protocol[K][0]>, context: CallContext) =>
  Protocol[K][1] extends Stream<infer M>
    ? AsyncGenerator<DeepPartial<M>, void> : Promise<DeepPartial<Protocol[K][1]>>;
};

type MessageOf<T> = T extends Stream<infer M> ? M : T;

/** A call as nice-grpc knows it. */
export interface Method<Q, A> {
  readonly path: string;
  readonly requestStream: Q extends Stream<unknown> ? true : false;
  readonly responseStream: A extends Stream<unknown> ? true : false;
  requestSerialize(message: DeepPartial<MessageOf<Q>>): Uint8Array;
  requestDeserialize(bytes: Uint8Array): MessageOf<Q>;
  responseSerialize(message: DeepPartial<MessageOf<A>>): Uint8Array;
  responseDeserialize(bytes: Uint8Array): MessageOf<A>;
  readonly options: Empty;
}

type Methods = { [K in keyof Protocol]: Method<Protocol[K][0], Protocol[K][1]> };

function methodOf({ name, requestStream, responseStream, resolvedRequestType, resolvedResponseType }: protobuf.Method) {
  const [request, response] = [codecOf(resolvedRequestType!), codecOf(resolvedResponseType!)];
  return {
    path: `/${serviceName}/${name}`, requestStream: requestStream === true, responseStream: responseStream === true,
    requestSerialize: request.encode, requestDeserialize: request.decode,
    responseSerialize: response.encode, responseDeserialize: response.decode,
    options: {},
  };
}

/** The service as nice-grpc knows it. */
export const urlFrontierService = Object.fromEntries(
  schema.lookupService(serviceName).methodsArray.map((method) => {
    return [method.name[0].toLowerCase() + method.name.slice(1), methodOf(method)];
  }),
) as unknown as Methods;

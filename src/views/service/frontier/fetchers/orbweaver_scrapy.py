"""Scrapy fetches what a URLFrontier hands out, and reports what it found: `README.md` in the folder above.

    ADDONS = {"orbweaver_scrapy.FrontierAddon": 100}
    FRONTIER_ADDRESS = "127.0.0.1:7071"

A request that the frontier can store (GET, a plain Request, state that JSON holds) is put as a discovered URL, with its
callback and `meta` as metadata. Others, retries and redirections stay with this process. A page that was scraped is put
as a known URL with all its links, after the requests that its callback made: nothing is lost if the process ends.

The calls block the reactor, about a millisecond each. Needs Scrapy 2.14, grpcio, and the stubs of the protocol:
    python -m grpc_tools.protoc -I. --python_out=. --grpc_python_out=. urlfrontier.proto
"""

import json
import logging
from collections import deque
from pathlib import Path
from time import time
from urllib.parse import urldefrag, urlsplit

import grpc
import urlfrontier_pb2 as messages
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.asyncio import call_later
from scrapy.utils.request import request_from_dict
from urlfrontier_pb2_grpc import URLFrontierStub

logger = logging.getLogger(__name__)

LEASE = "frontier_lease"
LINKS = "orbweaver.links"
STATE = "scrapy"
# A message has at most 4 MiB; links beyond these are left out.
MAX_LINK_BYTES = 3 * 2**20
# Discovered URLs that wait for the next call.
MAX_UNSENT = 1000
# The frontier skips longer ones.
MAX_URL = 32_768
MAX_STATE = 65_000
# What a request is made of besides its URL, and what the frontier cannot store.
STORED = ("callback", "errback", "headers", "cookies", "meta", "cb_kwargs", "flags", "priority", "encoding")


class Lease:
    """A URL that was handed out. Retries and redirections of its request share it, through their `meta`."""

    def __init__(self, url, metadata, request):
        self.url = url
        self.metadata = metadata
        self.request = request
        self.errback = request.errback
        self.response = None
        self.is_over = False
        request.meta[LEASE] = self
        request.errback = self.failed

    def failed(self, failure):
        self.is_over = True
        return failure if self.errback is None else self.errback(failure)


class FrontierAddon:
    """Puts scheduler and middleware in their places."""

    def update_settings(self, settings):
        settings.set("SCHEDULER", FrontierScheduler, "addon")
        # Nearest to the engine: it sees what all others made of a callback.
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", FrontierMiddleware, 10)


class FrontierMiddleware:
    """Notes on the lease of a page that its callback has ended."""

    def process_spider_exception(self, response, exception):
        self._end(response)

    def process_spider_output(self, response, result):
        try:
            for one in result:
                yield self._own(one)
        finally:
            self._end(response)

    async def process_spider_output_async(self, response, result):
        try:
            async for one in result:
                yield self._own(one)
        finally:
            self._end(response)

    def _own(self, one):
        # A spider may pass on `response.meta`: the new request is another URL.
        if isinstance(one, Request) and LEASE in one.meta:
            lease = one.meta.pop(LEASE)
            if one.errback == lease.failed:
                one.errback = lease.errback
        return one

    def _end(self, response):
        lease = response.meta.get(LEASE)
        if lease is not None:
            lease.response = response
            lease.is_over = True


class FrontierScheduler:
    """A scheduler whose requests are in a frontier.

    FRONTIER_ADDRESS               HOST:PORT
    FRONTIER_CRAWL                 id of the crawl; "DEFAULT"
    FRONTIER_TOKEN                 what it is sent as `authorization: Bearer TOKEN`
    FRONTIER_CERTIFICATE           file with the certificate that the server must have, PEM
    FRONTIER_LEASE_SECONDS         after so long, others may fetch what was handed out to this process; 300
    FRONTIER_URLS_PER_HOST         leases open per host, whoever has them; 1
    FRONTIER_REFETCH_SECONDS       a fetched page is due again after so long; 0: never
    FRONTIER_POLL_SECONDS          a frontier that had nothing is asked again after so long; 0.25
    FRONTIER_TIMEOUT_SECONDS       of a call; 30
    """

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def __init__(self, crawler):
        settings = crawler.settings
        self.crawler = crawler
        self.crawl = settings.get("FRONTIER_CRAWL", "DEFAULT")
        self.refetch_seconds = settings.getint("FRONTIER_REFETCH_SECONDS", 0)
        self.poll_seconds = settings.getfloat("FRONTIER_POLL_SECONDS", 0.25)
        self.wanted = messages.GetParams(
            max_urls_per_queue=settings.getint("FRONTIER_URLS_PER_HOST", 1),
            max_queues=1,
            delay_requestable=settings.getint("FRONTIER_LEASE_SECONDS", 300),
            crawlID=self.crawl,
        )
        self.address = settings["FRONTIER_ADDRESS"]
        if not self.address:
            raise ValueError("FRONTIER_ADDRESS: must be HOST:PORT of a frontier")
        self.certificate = settings["FRONTIER_CERTIFICATE"]
        token = settings["FRONTIER_TOKEN"]
        self.options = {
            "timeout": settings.getfloat("FRONTIER_TIMEOUT_SECONDS", 30),
            "metadata": [("authorization", f"Bearer {token}")] if token else [],
        }
        self.links_of = LinkExtractor(deny_extensions=[])
        self.ready = deque()
        self.leases = []
        self.unsent = []
        self.timer = None
        self.is_away = False

    def open(self, spider):
        self.spider = spider
        # The proxy of the environment is for the pages.
        options = [("grpc.max_reconnect_backoff_ms", 2000), ("grpc.enable_http_proxy", 0)]
        if self.certificate:
            credentials = grpc.ssl_channel_credentials(Path(self.certificate).read_bytes())
            self.channel = grpc.secure_channel(self.address, credentials, options)
        else:
            self.channel = grpc.insecure_channel(self.address, options)
        self.frontier = URLFrontierStub(self.channel)
        try:
            self.frontier.GetActive(messages.Local(), **self.options)
        except grpc.RpcError as error:
            raise ValueError(f"FRONTIER_ADDRESS {self.address}: {error.code().name}: {error.details()}") from None

    def close(self, reason):
        if self.timer is not None:
            self.timer.cancel()
        self._settle()
        self._send()
        if self.unsent:
            logger.error("%d results did not reach the frontier", len(self.unsent))
        self.channel.close()

    def enqueue_request(self, request):
        lease = request.meta.get(LEASE)
        if lease is not None:
            lease.request = request
        state = None if lease is not None else self._state_of(request)
        if state is None:
            self.ready.append(request)
        else:
            self._put(request.url, {STATE: [state]} if state != "{}" else {})
            if len(self.unsent) >= MAX_UNSENT:
                self._send()
        return True

    def next_request(self):
        self._settle()
        if not self.ready:
            self._take()
        if self.ready:
            return self.ready.popleft()
        if self.timer is None:
            self.timer = call_later(self.poll_seconds, self._poll)
        return None

    def has_pending_requests(self):
        self._settle()
        self._send()
        if self.ready or self.leases or self.unsent:
            return True
        try:
            return self.frontier.GetStats(messages.QueueWithinCrawlParams(crawlID=self.crawl), **self.options).size > 0
        except grpc.RpcError as error:
            self._away(error)
            return True

    def _state_of(self, request):
        """What the frontier stores of a request besides its URL; None if it cannot."""
        # Scrapy sets `dont_filter` of start requests too.
        is_again = request.dont_filter and not request.meta.get("is_start_request")
        if type(request) is not Request or request.method != "GET" or request.body or is_again:
            return None
        if not urlsplit(request.url).hostname or len(request.url) > MAX_URL:
            return None
        try:
            whole, plain = request.to_dict(spider=self.spider), Request(request.url).to_dict()
            state = {name: whole[name] for name in STORED if whole[name] != plain[name]}
            if "headers" in state:
                state["headers"] = {
                    name.decode("latin-1"): [value.decode("latin-1") for value in values]
                    for name, values in state["headers"].items()
                }
            text = json.dumps(state)
            if len(text) > MAX_STATE:
                raise ValueError(f"its state has {len(text)} characters")
            return text
        except (TypeError, ValueError) as error:
            logger.warning("%s stays with this process: %s", request, error)
            self.crawler.stats.inc_value("frontier/local")
            return None

    def _put(self, url, metadata, date=None):
        info = messages.URLInfo(url=urldefrag(url).url, crawlID=self.crawl)
        for name, values in metadata.items():
            info.metadata[name].values.extend(values)
        if date is None:
            item = messages.URLItem(discovered=messages.DiscoveredURLItem(info=info))
        else:
            item = messages.URLItem(known=messages.KnownURLItem(info=info, refetchable_from_date=date))
        self.unsent.append(item)

    def _settle(self):
        """Reports the leases whose requests the engine has left behind, and all that they led to."""
        scraped = self.crawler.engine.scraper.slot
        active = scraped.active if scraped is not None else ()
        over = [lease for lease in self.leases if lease.is_over and lease.request not in active]
        for lease in over:
            self.leases.remove(lease)
            self._report(lease)

    def _report(self, lease):
        response = lease.response
        if response is None:
            self._put(lease.url, lease.metadata, 0)
            return
        url = urldefrag(response.url).url
        date = 0 if self.refetch_seconds == 0 else self.due(response)
        if url != lease.url:
            # A redirection is a page with one link.
            self._put(lease.url, {**lease.metadata, LINKS: [url]}, date)
        is_page = isinstance(response, HtmlResponse) and 200 <= response.status < 300
        self._put(url, {**lease.metadata, **({LINKS: self._links(response)} if is_page else {})}, date)

    def due(self, response):
        """When a fetched page may be fetched again, in seconds since 1970; 0: never. To be overridden."""
        return int(time()) + self.refetch_seconds

    def _links(self, response):
        links, left = {}, MAX_LINK_BYTES
        for link in self.links_of.extract_links(response):
            url = urldefrag(link.url).url
            left -= len(url) + 8
            if left < 0:
                break
            links[url] = None
        return list(links)

    def _send(self):
        """Puts what is unsent; what the frontier has not taken stays unsent."""
        sent, open_ = self.unsent, {}
        if not sent:
            return
        for number, item in enumerate(sent):
            item.ID = str(number)
            open_[item.ID] = item
        try:
            for ack in self.frontier.PutURLs(iter(sent), **self.options):
                if ack.status != messages.AckMessage.FAIL:
                    open_.pop(ack.ID, None)
            self.is_away = False
        except grpc.RpcError as error:
            self._away(error)
        self.unsent = list(open_.values())

    def _take(self):
        """Takes the next URL under a lease, after all results until now are put."""
        self._send()
        if self.unsent:
            return
        try:
            infos = list(self.frontier.GetURLs(self.wanted, **self.options))
            self.is_away = False
        except grpc.RpcError as error:
            self._away(error)
            return
        for info in infos:
            metadata = {name: list(values.values) for name, values in info.metadata.items()}
            try:
                state = json.loads(metadata.get(STATE, ["{}"])[0])
                stored = {name: state[name] for name in STORED if name in state}
                request = request_from_dict({**stored, "url": info.url}, spider=self.spider)
            except (IndexError, TypeError, ValueError) as error:
                # Another spider's, perhaps: its lease ends by itself.
                logger.error("%s: this spider cannot take it: %s", info.url, error)
                self.crawler.stats.inc_value("frontier/unreadable")
                continue
            self.leases.append(Lease(info.url, metadata, request))
            self.ready.append(request)

    def _poll(self):
        self.timer = None
        self._settle()
        if not self.ready:
            self._take()
        if not self.ready:
            self.timer = call_later(self.poll_seconds, self._poll)
            return
        # The engine asks the scheduler again when a request comes in.
        request = self.ready.popleft()
        self.crawler.engine.crawl(request)
        if request not in self.ready and LEASE in request.meta:
            # A signal's handler refused it: it is of a site that this spider leaves out.
            request.meta[LEASE].is_over = True

    def _away(self, error):
        """A frontier that cannot be asked is asked again, and again; the log has the first time."""
        if not self.is_away:
            logger.error("the frontier at %s: %s: %s", self.address, error.code().name, error.details())
        self.is_away = True
        self.crawler.stats.inc_value("frontier/errors")

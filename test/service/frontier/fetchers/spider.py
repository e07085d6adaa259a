"""Spiders for the tests of orbweaver_scrapy.py: argv has the name of one, and its settings as JSON."""

import json
import sys

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


class Links(Spider):
    """Follows all links, from what is in the frontier."""

    name = "links"
    links_of = LinkExtractor(deny_extensions=[])

    def parse(self, response):
        for link in self.links_of.extract_links(response):
            yield response.follow(link)


class Seeded(Links):
    """The same from start URLs; what callback and metadata a page came with is told at the end."""

    name = "seeded"

    def parse(self, response):
        yield {"url": response.url, "by": "parse", "depth": response.meta["depth"], "said": response.meta.get("said")}
        for link in self.links_of.extract_links(response):
            # The lease in `response.meta` must not pass on.
            yield response.follow(
                link, self.parse_page, meta={**response.meta, "said": "hello"}, cb_kwargs={"parent": response.url}
            )
        yield Request(response.url, self.parse_again, dont_filter=True)
        yield Request(response.url, self.parse_again, meta={"any": object()})

    def parse_page(self, response, parent):
        yield {
            "url": response.url, "by": "page", "depth": response.meta["depth"], "said": response.meta["said"],
            "parent": parent, "referer": response.request.headers["Referer"].decode(),
        }
        for link in self.links_of.extract_links(response):
            yield response.follow(link, self.parse_page, meta={"said": "again"}, cb_kwargs={"parent": response.url})

    def parse_again(self, response):
        yield {"url": response.url, "by": "again"}


class Raising(Links):
    """Fails on every page, after its links."""

    name = "raising"

    def parse(self, response):
        yield from super().parse(response)
        raise RuntimeError("a callback that fails")


def main(name, settings):
    spiders = {spider.name: spider for spider in (Links, Seeded, Raising)}
    process = CrawlerProcess({"TELNETCONSOLE_ENABLED": False, "LOG_LEVEL": "INFO", **settings})
    process.crawl(spiders[name], start_urls=settings.get("START_URLS", []))
    process.start()


main(sys.argv[1], json.loads(sys.argv[2]))

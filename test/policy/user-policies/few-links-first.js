/** The page that the fewest pages fetched link to, until a host's pages are tired of waiting. */
export default {
  name: 'few-links-first',
  title: 'the page that the fewest pages fetched link to',
  needs: ['amounts', 'hosts'],
  options: {
    patience: {
      type: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'links after which all pages are alike',
    },
  },
  make({ state, options }) {
    const page = state.pages({ links: Uint32Array, hosts: Uint32Array });
    const calm = state.numbers({ fetched: 0 });
    const waiting = (local) => Math.max(0, options.patience - page.links[local]) + (page.hosts[local] % 2);
    return {
      know(local, _page, host) {
        page.hosts[local] = host;
      },
      key: waiting,
      score: waiting,
      amounts: {
        credit(local, links) {
          page.links[local] += links;
        },
        spread: () => 1,
      },
      fetched() {
        calm.fetched++;
      },
    };
  },
};

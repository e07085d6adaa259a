// The algorithms of graphs/graph/growing in C++, step for step, as peers: distances (Algorithm 1 of SPAWC and its pruned form)
// with the counts of pairs by distance, and components by the closure in blocks of 8 to 64 bits and in its pruned form.
//
//   growing WHAT PAGES FILE TIMES
//
// WHAT: insertion, pruned, closure-8, closure-16, closure-32, closure-64, pruned-closure. FILE holds the arcs: two u32
// each, in the order of their arrival. All of it is done TIMES times. One line of JSON: processor seconds of all
// insertions, the mean, and a checksum: for distances the sum over all reached pairs of distance + 1, for components
// their count.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

using std::size_t;
using std::vector;

static const uint16_t unreached = 0xffff;

struct Distances {
  const size_t pages;
  vector<uint16_t> cells;
  vector<uint32_t> counts;

  explicit Distances(size_t n) : pages(n), cells(n * n, unreached), counts(unreached + 1) {
    for (size_t page = 0; page < n; page++) cells[page * n + page] = 0;
    counts[0] = n;
    counts[unreached] = n * (n - 1);
  }

  double checksum() const {
    double sum = 0;
    for (size_t distance = 0; distance < unreached; distance++) sum += (distance + 1.0) * counts[distance];
    return sum;
  }
};

struct Insertion : Distances {
  using Distances::Distances;

  void lowerRow(size_t page, uint32_t distance, size_t via) {
    uint16_t* own = &cells[page * pages];
    const uint16_t* other = &cells[via * pages];
    uint32_t* count = counts.data();
    for (size_t m = 0; m < pages; m++) {
      const uint32_t before = own[m];
      const uint32_t now = distance + other[m];
      if (now >= before) continue;
      own[m] = now;
      count[before]--;
      count[now]++;
    }
  }

  void addArc(size_t source, size_t target) {
    if (source == target || cells[source * pages + target] == 1) return;
    lowerRow(source, 1, target);
    for (size_t page = 0; page < pages; page++) {
      const uint32_t toSource = cells[page * pages + source];
      if (page != source && page != target && toSource != unreached) lowerRow(page, toSource, source);
    }
  }
};

struct Pruned : Distances {
  const size_t words;
  // A row of bits per page: the pages with an arc to it.
  vector<uint64_t> sources;
  vector<uint64_t> seen;
  vector<uint16_t> improved, lengths, queue;

  explicit Pruned(size_t n)
    : Distances(n), words((n + 63) / 64), sources(n * words), seen(words), improved(n), lengths(n), queue(n) {}

  size_t lowerRowOf(size_t source, size_t target) {
    uint16_t* own = &cells[source * pages];
    const uint16_t* other = &cells[target * pages];
    size_t end = 0;
    for (size_t m = 0; m < pages; m++) {
      const uint32_t before = own[m];
      const uint32_t now = 1 + other[m];
      if (now >= before) continue;
      own[m] = now;
      counts[before]--;
      counts[now]++;
      improved[end] = m;
      lengths[end++] = now;
    }
    return end;
  }

  void lowerRow(uint16_t* own, uint32_t toSource, size_t improvements) {
    uint32_t* count = counts.data();
    for (size_t i = 0; i < improvements; i++) {
      uint16_t* cell = own + improved[i];
      const uint32_t before = *cell;
      const uint32_t now = toSource + lengths[i];
      if (now >= before) continue;
      *cell = now;
      count[before]--;
      count[now]++;
    }
  }

  void addArc(size_t source, size_t target) {
    if (source == target || cells[source * pages + target] == 1) return;
    const size_t improvements = lowerRowOf(source, target);
    sources[target * words + source / 64] |= uint64_t(1) << source % 64;
    std::fill(seen.begin(), seen.end(), 0);
    queue[0] = source;
    size_t end = 1;
    for (size_t head = 0; head < end; head++) {
      const uint64_t* row = &sources[queue[head] * words];
      for (size_t word = 0; word < words; word++) {
        uint64_t bits = row[word] & ~seen[word];
        seen[word] |= bits;
        for (; bits != 0; bits &= bits - 1) {
          const size_t page = word * 64 + __builtin_ctzll(bits);
          uint16_t* own = &cells[page * pages];
          if (own[source] + 1 >= own[target]) continue;
          lowerRow(own, own[source], improvements);
          queue[end++] = page;
        }
      }
    }
  }
};

/** Components by their lowest pages; a merge writes all labels anew. */
struct Components {
  const size_t pages;
  size_t count;
  vector<uint32_t> labels;

  explicit Components(size_t n) : pages(n), count(n), labels(n) {
    for (size_t page = 0; page < n; page++) labels[page] = page;
  }

  double checksum() const { return count; }

  void merge(size_t one, size_t other) {
    uint32_t low = labels[one], high = labels[other];
    if (low == high) return;
    if (low > high) std::swap(low, high);
    for (size_t page = 0; page < pages; page++) if (labels[page] == high) labels[page] = low;
    count--;
  }
};

template <typename Block> struct Rows : Components {
  static const size_t bits = 8 * sizeof(Block);
  const size_t blocks;
  vector<Block> rows;

  explicit Rows(size_t n) : Components(n), blocks((n + bits - 1) / bits), rows(n * blocks) {
    for (size_t page = 0; page < n; page++) set(page, page);
  }

  bool reaches(size_t page, size_t other) const { return rows[page * blocks + other / bits] >> other % bits & 1; }
  void set(size_t page, size_t other) { rows[page * blocks + other / bits] |= Block(1) << other % bits; }

  void unite(size_t page, size_t other) {
    Block* own = &rows[page * blocks];
    const Block* more = &rows[other * blocks];
    for (size_t block = 0; block < blocks; block++) own[block] |= more[block];
  }
};

template <typename Block> struct Closure : Rows<Block> {
  using Rows<Block>::Rows;

  void addArc(size_t source, size_t target) {
    if (source == target) return;
    this->set(source, target);
    this->unite(source, target);
    if (this->reaches(target, source)) this->merge(source, target);
    for (size_t page = 0; page < this->pages; page++) {
      if (page == source || page == target || !this->reaches(page, source)) continue;
      this->unite(page, source);
      if (this->reaches(source, page)) this->merge(source, page);
    }
  }
};

struct PrunedClosure : Components {
  const size_t words;
  // Bit m of row n, and bit n of column m: page n reaches page m.
  vector<uint64_t> rows, columns, list;

  explicit PrunedClosure(size_t n)
    : Components(n), words((n + 63) / 64), rows(n * words), columns(n * words), list(2 * words) {
    for (size_t page = 0; page < n; page++)
      rows[page * words + page / 64] = columns[page * words + page / 64] = uint64_t(1) << page % 64;
  }

  void uniteListed(const uint64_t* listed, uint64_t* matrix, const uint64_t* other) {
    for (size_t word = 0; word < words; word++) {
      for (uint64_t bits = listed[word]; bits != 0; bits &= bits - 1) {
        uint64_t* own = matrix + (word * 64 + __builtin_ctzll(bits)) * words;
        for (size_t i = 0; i < words; i++) own[i] |= other[i];
      }
    }
  }

  void addArc(size_t source, size_t target) {
    const uint64_t* ofSource = &rows[source * words];
    if (source == target || (ofSource[target / 64] >> target % 64 & 1)) return;
    const uint64_t* ofTarget = &rows[target * words];
    const uint64_t* toSource = &columns[source * words];
    const uint64_t* toTarget = &columns[target * words];
    for (size_t i = 0; i < words; i++) {
      list[i] = toSource[i] & ~toTarget[i];
      list[words + i] = ofTarget[i] & ~ofSource[i];
    }
    if (ofTarget[source / 64] >> source % 64 & 1) {
      for (size_t word = 0; word < words; word++)
        for (uint64_t bits = ofTarget[word] & toSource[word]; bits != 0; bits &= bits - 1)
          merge(source, word * 64 + __builtin_ctzll(bits));
    }
    uniteListed(&list[0], rows.data(), ofTarget);
    uniteListed(&list[words], columns.data(), toSource);
  }
};

static double processorSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

template <typename Growing> static int measure(size_t pages, const vector<uint32_t>& arcs, int times) {
  double seconds = 0, checksum = 0;
  for (int time = 0; time < times; time++) {
    Growing growing(pages);
    const double before = processorSeconds();
    for (size_t at = 0; at + 1 < arcs.size(); at += 2) growing.addArc(arcs[at], arcs[at + 1]);
    seconds += processorSeconds() - before;
    checksum = growing.checksum();
  }
  std::printf("{\"seconds\": %.9f, \"checksum\": %.0f}\n", seconds / times, checksum);
  return 0;
}

int main(int count, char** texts) {
  if (count != 5) return 2;
  const size_t pages = std::strtoul(texts[2], nullptr, 10);
  const int times = std::atoi(texts[4]);
  FILE* file = std::fopen(texts[3], "rb");
  if (file == nullptr) return 2;
  vector<uint32_t> arcs;
  for (uint32_t page; std::fread(&page, sizeof page, 1, file) == 1;) {
    if (page >= pages) return 2;
    arcs.push_back(page);
  }
  std::fclose(file);
  const char* what = texts[1];
  const auto is = [what](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("insertion")) return measure<Insertion>(pages, arcs, times);
  if (is("pruned")) return measure<Pruned>(pages, arcs, times);
  if (is("closure-8")) return measure<Closure<uint8_t>>(pages, arcs, times);
  if (is("closure-16")) return measure<Closure<uint16_t>>(pages, arcs, times);
  if (is("closure-32")) return measure<Closure<uint32_t>>(pages, arcs, times);
  if (is("closure-64")) return measure<Closure<uint64_t>>(pages, arcs, times);
  if (is("pruned-closure")) return measure<PrunedClosure>(pages, arcs, times);
  return 2;
}

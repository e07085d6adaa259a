// The hold model of ../hold-model.ts over std::priority_queue: the same generator, the same keys, the clock stands while keys are
// made. Prints one JSON object.
//
//   std-priority-queue f64+u32|u64 ENTRIES BLOCK WARM_BATCHES BATCHES STATE UNIT_BITS [count]
//
// f64+u32: key and id in a struct of 16 bytes, compared by key alone, as one would write it without thinking.
// u64: key in the high half, complement of the id in the low half, compared as one integer: our entry.
// count: counts comparisons; the times are then of no use.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>
#include <vector>

static uint64_t comparisons = 0;

struct Wide {
  double key;
  uint32_t id;
  Wide() : key(0), id(0) {}
  Wide(uint32_t k, uint32_t i) : key(k), id(i) {}
  uint32_t bits() const { return static_cast<uint32_t>(key); }
  bool operator<(const Wide& other) const { return key < other.key; }
};

struct Packed {
  uint64_t word;
  Packed() : word(0) {}
  Packed(uint32_t k, uint32_t i) : word(static_cast<uint64_t>(k) << 32 | static_cast<uint32_t>(~i)) {}
  uint32_t bits() const { return static_cast<uint32_t>(word >> 32); }
  bool operator<(const Packed& other) const { return word < other.word; }
};

template <class Entry, bool counts>
struct Less {
  bool operator()(const Entry& a, const Entry& b) const {
    if (counts) comparisons++;
    return a < b;
  }
};

static uint32_t state;

static uint32_t draw(int bits) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state >> (32 - bits);
}

template <class Entry, bool counts>
static void hold(uint32_t entries, uint32_t block, uint32_t warmBatches, uint32_t batches, int unitBits) {
  using Clock = std::chrono::steady_clock;
  const uint32_t keyLimit = 0x7ff00000;
  std::vector<Entry> storage;
  storage.reserve(entries);
  std::priority_queue<Entry, std::vector<Entry>, Less<Entry, counts>> queue(Less<Entry, counts>(), std::move(storage));
  uint32_t index = 0;
  for (; index < entries; index++) queue.push(Entry(keyLimit - 1 - draw(unitBits), index));

  std::vector<Entry> batch(block);
  uint32_t checksum = 0;
  double seconds = 0, worst = 0;
  uint64_t measuredFrom = 0, worstComparisons = 0, first = 0;
  for (uint32_t round = 0; round < warmBatches + batches; round++) {
    if (round == warmBatches) measuredFrom = comparisons;
    const uint64_t before = comparisons;
    const auto t0 = Clock::now();
    for (uint32_t i = 0; i < block; i++) {
      batch[i] = queue.top();
      queue.pop();
    }
    const auto t1 = Clock::now();
    uint32_t least = batch[0].bits(), sum = 0;
    for (const Entry& entry : batch) {
      least = std::min(least, entry.bits());
      sum += entry.bits();
    }
    checksum = checksum * 31 + sum;
    for (uint32_t i = 0; i < block; i++) batch[i] = Entry(least - draw(unitBits + 1), index++);
    const auto t2 = Clock::now();
    for (uint32_t i = 0; i < block; i++) queue.push(batch[i]);
    const auto t3 = Clock::now();
    if (round == 0) first = comparisons - before;
    if (round < warmBatches) continue;
    const double taken = std::chrono::duration<double>((t1 - t0) + (t3 - t2)).count();
    seconds += taken;
    worst = std::max(worst, taken);
    worstComparisons = std::max(worstComparisons, comparisons - before);
  }
  const double elements = static_cast<double>(batches) * block;
  std::printf("{\"nsPerElement\": %.6f, \"worstBatchMs\": %.6f, \"checksum\": %u, \"bytesPerEntry\": %zu", 1e9 * seconds / elements,
              1e3 * worst, checksum, sizeof(Entry));
  if (counts) {
    std::printf(", \"comparisonsPerElement\": %.6f, \"worstBatchComparisons\": %llu, \"firstBatchComparisons\": %llu",
                static_cast<double>(comparisons - measuredFrom) / elements, static_cast<unsigned long long>(worstComparisons),
                static_cast<unsigned long long>(first));
  }
  std::printf("}\n");
}

int main(int argc, char** argv) {
  if (argc < 8) {
    std::fprintf(stderr, "usage: %s f64+u32|u64 ENTRIES BLOCK WARM_BATCHES BATCHES STATE UNIT_BITS [count]\n", argv[0]);
    return 2;
  }
  // An interrupt is for the benchmark that started this: it ends after the part under way, and this ends by itself.
  std::signal(SIGINT, SIG_IGN);
  const auto number = [&](int at) { return static_cast<uint32_t>(std::strtoul(argv[at], nullptr, 10)); };
  const uint32_t entries = number(2), block = number(3), warmBatches = number(4), batches = number(5);
  const int unitBits = static_cast<int>(number(7));
  state = number(6);
  const bool isPacked = std::strcmp(argv[1], "u64") == 0, counts = argc > 8;
  if (isPacked && counts) hold<Packed, true>(entries, block, warmBatches, batches, unitBits);
  else if (isPacked) hold<Packed, false>(entries, block, warmBatches, batches, unitBits);
  else if (counts) hold<Wide, true>(entries, block, warmBatches, batches, unitBits);
  else hold<Wide, false>(entries, block, warmBatches, batches, unitBits);
  return 0;
}

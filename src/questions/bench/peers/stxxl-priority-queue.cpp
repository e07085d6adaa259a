// The drain of ../drain.ts over stxxl::PRIORITY_QUEUE_GENERATOR: the same entries, all in, then all out, greatest first, 8192 at a
// time; the clock stands while entries are made and looked at. Prints one JSON object, as its last line. The compiler chooses sizes:
//
//   c++ -DENTRIES=N -DMEMORY_BYTES=M ... -lstxxl -fopenmp
//   stxxl-priority-queue FILE SEED       FILE is made; it has three times the entries' bytes and 64 blocks at most
//
// M is for the queue (half of it) and for its blocks being read and written. One thread, as ours, beside the library's own for I/O;
// the file goes through the system's cache, as ours does.
#if !__has_include(<stxxl/priority_queue>)
#error the library STXXL is not installed (Debian: libstxxl-dev)
#else
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <omp.h>
#include <unistd.h>
#include <vector>

#include <stxxl/io>
#include <stxxl/priority_queue>

using Entry = uint64_t;

struct Less {
  bool operator()(const Entry& a, const Entry& b) const { return a < b; }
  Entry min_value() const { return 0; }
};

static const uint64_t queueBytes = MEMORY_BYTES / 2, mostKi = ENTRIES / 1024 + 1;
using Queue = stxxl::PRIORITY_QUEUE_GENERATOR<Entry, Less, queueBytes, mostKi>::result;

// The draws of ../../base/random/draw.ts.
static uint32_t mix(uint32_t hash) {
  hash = (hash ^ hash >> 16) * 0x85ebca6b;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35;
  return hash ^ hash >> 16;
}

struct DrawStream {
  uint32_t key;
  DrawStream(uint64_t seed, const char* name) {
    uint32_t hash = 0x811c9dc5;
    for (; *name; name++) hash = (hash ^ static_cast<uint32_t>(*name)) * 0x01000193;
    key = mix(mix(static_cast<uint32_t>(seed) ^ hash) + (static_cast<uint32_t>(seed >> 32) + 1) * 0x9e3779b9);
  }
  uint32_t uint32(uint32_t id) const { return mix(mix(key + (id + 1) * 0x9e3779b9) ^ 0x85ebca77); }
};

// Bytes of this process in main memory; 0 if the system does not report them.
static uint64_t residentBytes() {
  unsigned long long total = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  if (std::fscanf(file, "%llu %llu", &total, &resident) != 2) resident = 0;
  std::fclose(file);
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

static void printPhase(const char* name, double seconds, const stxxl::stats_data& io) {
  std::printf("\"%s\": {\"seconds\": %.6f, \"comparisons\": null, \"reads\": %u, \"writes\": %u, ", name, seconds, io.get_reads(),
              io.get_writes());
  std::printf("\"bytesRead\": %lld, \"bytesWritten\": %lld}, ", static_cast<long long>(io.get_read_volume()),
              static_cast<long long>(io.get_written_volume()));
}

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s FILE SEED\n", argv[0]);
    return 2;
  }
  // An interrupt is for the benchmark that started this.
  std::signal(SIGINT, SIG_IGN);
  omp_set_num_threads(1);
  const uint32_t batchEntries = 8192;
  const uint64_t blockBytes = Queue::BlockSize, entries = ENTRIES;
  const DrawStream draws(std::strtoull(argv[2], nullptr, 10), "drain");
  std::vector<Entry> batch(batchEntries);
  const uint64_t before = residentBytes();
  uint64_t resident = before;

  stxxl::disk_config disk(argv[1], 3 * sizeof(Entry) * entries + 64 * blockBytes, "syscall delete_on_exit");
  disk.direct = stxxl::disk_config::DIRECT_OFF;
  disk.autogrow = false;
  stxxl::config::get_instance()->add_disk(disk);
  // Not on the stack: it holds buffers that grow with the memory given.
  const std::unique_ptr<Queue> owner(new Queue(MEMORY_BYTES / 4, MEMORY_BYTES / 4));
  Queue& queue = *owner;

  const stxxl::stats_data empty(*stxxl::stats::get_instance());
  Clock::duration inserting{}, extracting{};
  for (uint64_t made = 0; made < entries;) {
    const uint32_t size = static_cast<uint32_t>(std::min<uint64_t>(batchEntries, entries - made));
    for (uint32_t i = 0; i < size; i++, made++) {
      batch[i] = static_cast<uint64_t>(draws.uint32(static_cast<uint32_t>(made)) >> 2) << 32 | static_cast<uint32_t>(~made);
    }
    const auto started = Clock::now();
    for (uint32_t i = 0; i < size; i++) queue.push(batch[i]);
    inserting += Clock::now() - started;
    resident = std::max(resident, residentBytes());
  }
  const stxxl::stats_data full(*stxxl::stats::get_instance());

  uint32_t checksum = 0;
  while (!queue.empty()) {
    const uint32_t size = static_cast<uint32_t>(std::min<uint64_t>(batchEntries, queue.size()));
    const auto started = Clock::now();
    for (uint32_t i = 0; i < size; i++) {
      batch[i] = queue.top();
      queue.pop();
    }
    extracting += Clock::now() - started;
    resident = std::max(resident, residentBytes());
    uint32_t sum = 0;
    for (uint32_t i = 0; i < size; i++) sum += static_cast<uint32_t>(batch[i] >> 32) + ~static_cast<uint32_t>(batch[i]);
    checksum = checksum * 31 + sum;
  }
  const stxxl::stats_data drained(*stxxl::stats::get_instance());

  std::printf("\n{");
  printPhase("insert", std::chrono::duration<double>(inserting).count(), full - empty);
  printPhase("extract", std::chrono::duration<double>(extracting).count(), drained - full);
  std::printf("\"pageBytes\": %llu, \"checksum\": %u, ", static_cast<unsigned long long>(blockBytes), checksum);
  if (before == 0) std::printf("\"residentGrowthBytes\": null}\n");
  else std::printf("\"residentGrowthBytes\": %llu}\n", static_cast<unsigned long long>(resident - before));
  return 0;
}
#endif

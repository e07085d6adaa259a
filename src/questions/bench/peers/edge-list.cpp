// A text of page ids, two a line, read by a loop over its bytes. Prints one JSON object.
//
//   edge-list parse|rows FILE
//
// parse: the pairs go into two arrays, and no more.
// rows: then rows by source, by counting sort, and second mentions of an arc dropped: what a reader has to do in the end.
// Ids are taken to be 0 ... n-1, and nothing is checked but that there are digits.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static std::vector<uint32_t> sources, targets;
static uint32_t largest = 0;

static void parse(FILE* file) {
  static unsigned char buffer[1 << 20];
  uint32_t value = 0, source = 0;
  bool inNumber = false, second = false, inComment = false;
  for (size_t length; (length = fread(buffer, 1, sizeof buffer, file)) > 0;) {
    for (size_t i = 0; i < length; i++) {
      const unsigned char byte = buffer[i];
      const unsigned digit = byte - '0';
      if (inComment) {
        inComment = byte != '\n';
      } else if (digit < 10) {
        value = inNumber ? value * 10 + digit : digit;
        inNumber = true;
      } else if (inNumber) {
        if (value > largest) largest = value;
        if (second) {
          sources.push_back(source);
          targets.push_back(value);
        }
        source = value;
        second = !second;
        inNumber = false;
      } else {
        inComment = byte == '#';
      }
    }
  }
}

static uint64_t rows() {
  const size_t pages = size_t(largest) + 1, mentions = sources.size();
  std::vector<uint32_t> offsets(pages + 1), row(mentions), last(pages);
  for (uint32_t source : sources) offsets[source + 1]++;
  for (size_t page = 0; page < pages; page++) offsets[page + 1] += offsets[page];
  for (size_t i = 0; i < mentions; i++) row[offsets[sources[i]]++] = targets[i];
  size_t written = 0, start = 0;
  for (size_t page = 0; page < pages; page++) {
    const size_t end = offsets[page];
    offsets[page] = uint32_t(written);
    for (size_t i = start; i < end; i++) {
      if (last[row[i]] == page + 1) continue;
      last[row[i]] = uint32_t(page + 1);
      row[written++] = row[i];
    }
    start = end;
  }
  return written;
}

int main(int count, char** words) {
  using Clock = std::chrono::steady_clock;
  FILE* file = count == 3 ? fopen(words[2], "rb") : nullptr;
  if (file == nullptr) return 2;
  const auto begin = Clock::now();
  parse(file);
  uint64_t arcs = sources.size();
  if (strcmp(words[1], "rows") == 0) arcs = rows();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  printf("{\"seconds\": %.9f, \"arcs\": %llu}\n", seconds, static_cast<unsigned long long>(arcs));
}

// The hold model of ../../hold/hold-model.ts over SimdQuickHeap: the same generator, the same keys, the clock stands while
// keys are made. Prints one JSON object.
//
//   simd-quickheap ENTRIES BLOCK WARM_BATCHES BATCHES STATE UNIT_BITS
//
// An entry is the complement of our packed u64 (key in the high half, complement of the id in the low half), since the
// least leaves first here.
use quickheap::SimdQuickHeap;
use std::time::{Duration, Instant};

fn draw(state: &mut u32, bits: u32) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state >> (32 - bits)
}

fn entry(key: u32, id: u32) -> u64 {
    !((key as u64) << 32 | !id as u64)
}

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).map(|text| text.parse().unwrap()).collect();
    let [entries, block, warm, batches, mut state, unit_bits] = numbers[..] else { panic!("six numbers") };
    let mut queue = SimdQuickHeap::<u64>::default();
    for id in 0..entries {
        queue.push(entry(0x7ff00000 - 1 - draw(&mut state, unit_bits), id));
    }
    let mut batch = vec![0u64; block as usize];
    let (mut index, mut checksum) = (entries, 0u32);
    let (mut total, mut worst) = (Duration::ZERO, Duration::ZERO);
    for round in 0..warm + batches {
        let start = Instant::now();
        batch.fill_with(|| queue.pop().unwrap());
        let popped = start.elapsed();
        let keys = batch.iter().map(|word| (!word >> 32) as u32);
        let least = keys.clone().min().unwrap();
        checksum = checksum.wrapping_mul(31).wrapping_add(keys.fold(0, u32::wrapping_add));
        for place in batch.iter_mut() {
            *place = entry(least - draw(&mut state, unit_bits + 1), index);
            index += 1;
        }
        let start = Instant::now();
        batch.iter().for_each(|&word| queue.push(word));
        let taken = popped + start.elapsed();
        if round >= warm {
            total += taken;
            worst = worst.max(taken);
        }
    }
    let ns = total.as_nanos() as f64 / (batches as f64 * block as f64);
    let ms = worst.as_secs_f64() * 1e3;
    println!(r#"{{"nsPerElement": {ns}, "worstBatchMs": {ms}, "checksum": {checksum}, "bytesPerEntry": 8}}"#);
}

import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { WorldError } from '../../../base/index.ts';
import { ByteReader, ByteWriter, Damage } from './bytes.ts';

/**
 * A record as it is stored, little-endian:
 *
 *     4 "OWCL" | 4 CRC-32 of what follows | 1 kind | 1 whether the body is deflated | 4 length of the body | the body
 *
 * Nodes of different versions never read each other's records, so that the form has no version number.
 */
const MAGIC = 0x4c43574f;
const HEAD_BYTES = 14;
/** A shorter body is not worth the time to deflate it. */
const MIN_DEFLATED_BYTES = 4096;
/** Redis takes entries of up to 512 MiB. */
const maxBodyBytes = 2 ** 29 - 2 ** 20;

/**
 * `state`: a node takes part in an epoch. `ready`: it has begun. `result`: its run has ended. With the others a crew
 * answers the loop.
 */
export const recordKinds = ['ready', 'arrival', 'settled', 'revived', 'result', 'state'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** @throws WorldError if it is too large to be stored. */
export function encodeRecord(kind: RecordKind, fill: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter();
  fill(writer);
  const body = writer.bytes();
  if (body.length > maxBodyBytes) {
    throw new WorldError(
      `a superstep of this node sends ${body.length} bytes to others, and at most ${maxBodyBytes} can be stored: ` +
      'set a smaller --superstep-limit, or use more nodes',
    );
  }
  const isDeflated = body.length >= MIN_DEFLATED_BYTES;
  // Level 1: nodes wait for it.
  const stored = isDeflated ? deflateRawSync(body, { level: 1 }) : body;
  const record = Buffer.allocUnsafe(HEAD_BYTES + stored.length);
  record.writeUInt32LE(MAGIC, 0);
  record.writeUInt8(recordKinds.indexOf(kind), 8);
  record.writeUInt8(isDeflated ? 1 : 0, 9);
  record.writeUInt32LE(body.length, 10);
  record.set(stored, HEAD_BYTES);
  record.writeUInt32LE(crc32(record.subarray(8)), 4);
  return record;
}

/**
 * Reads a record of this kind.
 * @param place names it in messages, such as "record 12 of node 1".
 * @throws WorldError if it is not what `encodeRecord` made: truncated, altered, or of another kind.
 */
export function decodeRecord<T>(
  bytes: Uint8Array, kind: RecordKind, place: string, take: (reader: ByteReader) => T,
): T {
  try {
    const reader = new ByteReader(bodyOf(bytes, kind));
    const value = take(reader);
    reader.end();
    return value;
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    throw new WorldError(`${place}: is damaged: ${error.message}`);
  }
}

function bodyOf(bytes: Uint8Array, kind: RecordKind): Buffer {
  const record = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (record.length < HEAD_BYTES || record.readUInt32LE(0) !== MAGIC) throw new Damage('it is not a record of Orbweaver');
  if (record.readUInt32LE(4) !== crc32(record.subarray(8))) throw new Damage('its checksum does not match');
  const storedKind = recordKinds.at(record.readUInt8(8));
  if (storedKind !== kind) throw new Damage(`it is of kind ${storedKind}, not ${kind}`);
  const length = record.readUInt32LE(10);
  const stored = record.subarray(HEAD_BYTES);
  const body = record.readUInt8(9) === 0 ? stored : inflated(stored, length);
  if (body.length !== length) throw new Damage(`it holds ${body.length} bytes, not ${length}`);
  return body;
}

/** At most as long as it says, so that no record takes more memory than that. */
function inflated(stored: Buffer, length: number): Buffer {
  if (length > maxBodyBytes) throw new Damage(`it announces ${length} bytes`);
  try {
    return inflateRawSync(stored, { maxOutputLength: Math.max(1, length) });
  } catch (error) {
    throw new Damage(error instanceof Error ? error.message : String(error));
  }
}

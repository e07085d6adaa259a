import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import protobuf from 'protobufjs';
import type { DeepPartial, URLInfo } from './messages.ts';
import { packageName, readSchema } from './schema.ts';

/**
 * Messages to bytes and back, by what `urlfrontier.proto` declares of their fields. Text that is no UTF-8 is read with
 * U+FFFD in its place; fields that the schema does not have are passed over.
 */
export interface Codec<T> {
  /** What is left out, or has its default, takes no byte. @throws Error for a number that its field cannot hold. */
  readonly encode: (message: DeepPartial<T>) => Uint8Array;
  /** @throws Error if these bytes are no message. */
  readonly decode: (bytes: Uint8Array) => T;
}

type Message = Record<string, unknown>;

/** How values of a type are written. */
interface Values {
  readonly wire: WireType;
  /** What a field has that was not read; such a value is not written. */
  readonly empty: unknown;
  /** The value that is written for what a caller has given. */
  readonly of?: (given: unknown) => unknown;
  write(writer: BinaryWriter, value: unknown): void;
  read(reader: BinaryReader): unknown;
}

/** The one or more values of a field, in its message. */
interface FieldCodec {
  readonly name: string;
  /** Numbers of the field and types of wire, as they are before its values. */
  readonly tags: readonly number[];
  clear(message: Message): void;
  write(writer: BinaryWriter, message: Message): void;
  read(reader: BinaryReader, message: Message, tag: number): void;
}

const scalars: Readonly<Record<string, Values>> = {
  bool: {
    wire: WireType.Varint, empty: false, write: (writer, value) => writer.bool(value as boolean),
    read: (reader) => reader.bool(),
  },
  string: {
    wire: WireType.LengthDelimited, empty: '', write: (writer, value) => writer.string(value as string),
    read: (reader) => reader.string(),
  },
  uint32: {
    wire: WireType.Varint, empty: 0, write: (writer, value) => writer.uint32(value as number),
    read: (reader) => reader.uint32(),
  },
  uint64: {
    wire: WireType.Varint, empty: 0n, of: (value) => BigInt(value as bigint | number | string),
    write: (writer, value) => writer.uint64(value as bigint), read: (reader) => reader.uint64(),
  },
};

const numbersOfEnums: Values = {
  wire: WireType.Varint, empty: 0, write: (writer, value) => writer.int32(value as number),
  read: (reader) => reader.int32(),
};

/** A message within another. */
class MessageValues implements Values {
  readonly wire: WireType = WireType.LengthDelimited;
  /** A message that is not there is no empty message. */
  readonly empty = undefined;
  readonly #fields: readonly FieldCodec[];
  readonly #byTag: ReadonlyMap<number, FieldCodec>;

  constructor(fields: readonly FieldCodec[]) {
    this.#fields = fields;
    this.#byTag = new Map(fields.flatMap((field) => field.tags.map((tag) => [tag, field] as const)));
  }

  write(writer: BinaryWriter, value: unknown): void {
    writer.fork();
    this.writeFields(writer, value as Message);
    writer.join();
  }

  read(reader: BinaryReader): Message {
    const length = reader.uint32();
    return this.readFields(reader, reader.pos + length);
  }

  writeFields(writer: BinaryWriter, message: Message): void {
    for (const field of this.#fields) field.write(writer, message);
  }

  readFields(reader: BinaryReader, end: number): Message {
    const message: Message = {};
    for (const field of this.#fields) field.clear(message);
    while (reader.pos < end) {
      const start = reader.pos;
      const tag = reader.uint32();
      const field = this.#byTag.get(tag);
      if (field !== undefined) {
        field.read(reader, message, tag);
        continue;
      }
      reader.pos = start;
      const [number, wire] = reader.tag();
      reader.skip(wire, number);
    }
    if (reader.pos > end) throw new RangeError('a field that is longer than its message');
    return message;
  }
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function tagOf({ id }: { readonly id: number }, wire: WireType): number {
  return ((id << 3) | wire) >>> 0;
}

/** A field with one value; one that is `optional` is written whenever it is there. */
function single(name: string, id: number, values: Values, isOptional = false): FieldCodec {
  const { empty, of } = values;
  const tag = tagOf({ id }, values.wire);
  const unread = isOptional ? undefined : empty;
  return {
    name, tags: [tag],
    clear(message) { message[name] = unread; },
    write(writer, message) {
      const raw = message[name];
      if (!isThere(raw)) return;
      const value = of === undefined ? raw : of(raw);
      if (value !== unread) values.write(writer.uint32(tag), value);
    },
    read(reader, message) { message[name] = values.read(reader); },
  };
}

/** A list: of texts and messages, each with its tag; of numbers, all behind one tag, which are read either way. */
function list(name: string, id: number, values: Values): FieldCodec {
  const [each, packed] = [tagOf({ id }, values.wire), tagOf({ id }, WireType.LengthDelimited)];
  return {
    name, tags: [each, packed],
    clear(message) { message[name] = []; },
    write(writer, message) {
      const all = (message[name] ?? []) as readonly unknown[];
      if (each === packed) for (const value of all) values.write(writer.uint32(each), value);
      else if (all.length > 0) {
        writer.uint32(packed).fork();
        for (const value of all) values.write(writer, value);
        writer.join();
      }
    },
    read(reader, message, tag) {
      const all = message[name] as unknown[];
      if (tag === each) all.push(values.read(reader));
      else for (const end = reader.uint32() + reader.pos; reader.pos < end;) all.push(values.read(reader));
    },
  };
}

/** A map from texts: a list of entries, each a message of its own. */
function map(name: string, id: number, values: Values): FieldCodec {
  const entries = new MessageValues([single('key', 1, scalars['string']), single('value', 2, values)]);
  const tag = tagOf({ id }, WireType.LengthDelimited);
  return {
    name, tags: [tag],
    clear(message) { message[name] = {}; },
    write(writer, message) {
      for (const [key, value] of Object.entries((message[name] ?? {}) as Message))
        if (isThere(value)) entries.write(writer.uint32(tag), { key, value });
    },
    read(reader, message) {
      const { key, value = emptyMessage(values) } = entries.read(reader);
      // A plain assignment to `__proto__` would be none.
      Object.defineProperty(message[name], key as string, {
        value, configurable: true, enumerable: true, writable: true,
      });
    },
  };
}

function emptyMessage(values: Values): unknown {
  return values.read(new BinaryReader(Uint8Array.of(0)));
}

/** A field of a `oneof`, which is `{ $case: NAME, [NAME]: VALUE }`; it is written whenever it is the chosen one. */
function choice(oneof: string, name: string, id: number, values: Values): FieldCodec {
  const tag = tagOf({ id }, values.wire);
  return {
    name, tags: [tag],
    clear(message) { message[oneof] = undefined; },
    write(writer, message) {
      const member = message[oneof] as Message | undefined;
      if (member?.['$case'] === name && isThere(member[name])) values.write(writer.uint32(tag), member[name]);
    },
    read(reader, message) { message[oneof] = { $case: name, [name]: values.read(reader) }; },
  };
}

/** The codecs of a schema's messages, each made once. */
class Codecs {
  readonly #made = new Map<protobuf.Type, MessageValues>();

  of(type: protobuf.Type): MessageValues {
    const values = this.#made.get(type) ?? new MessageValues(type.fieldsArray.map((field) => this.#field(field)));
    this.#made.set(type, values);
    return values;
  }

  #field(field: protobuf.Field): FieldCodec {
    const { name, id, partOf } = field;
    const values = this.#values(field);
    if (field instanceof protobuf.MapField) return map(name, id, values);
    if (field.repeated) return list(name, id, values);
    // The file's `optional` is a `oneof` of one field.
    return partOf === null || partOf.isProto3Optional
      ? single(name, id, values, partOf !== null) : choice(partOf.name, name, id, values);
  }

  #values({ type, resolvedType }: protobuf.Field): Values {
    if (resolvedType instanceof protobuf.Type) return this.of(resolvedType);
    return resolvedType instanceof protobuf.Enum ? numbersOfEnums : scalars[type];
  }
}

/** What the protocol declares, read when a frontier is first served or asked. */
export const schema = readSchema({ keepCase: false });
const codecs = new Codecs();

/** The codec of a type of messages. */
export function codecOf<T>(type: protobuf.Type): Codec<T> {
  const values = codecs.of(type);
  return {
    encode(message) {
      const writer = new BinaryWriter();
      values.writeFields(writer, message as Message);
      return writer.finish();
    },
    decode: (bytes) => values.readFields(new BinaryReader(bytes), bytes.length) as T,
  };
}

/** The codec of a URL, which is stored as it is sent. */
export const infoCodec = codecOf<URLInfo>(schema.lookupType(`${packageName}.URLInfo`));

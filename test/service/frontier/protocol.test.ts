import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc, { type Arbitrary } from 'fast-check';
import protobuf from 'protobufjs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { DeepPartial, URLItem } from '../../../src/views/service/frontier/index.ts';
import { codecOf, infoCodec, schema, type Codec } from '../../../src/views/service/frontier/protocol/codec.ts';
import { descriptorSet } from '../../../src/views/service/frontier/protocol/descriptor.ts';
import { itemOfJson, jsonOf } from '../../../src/views/service/frontier/protocol/json.ts';

// Goal: what is written by hand about the protocol says what urlfrontier.proto says: the types, the bytes, the
// description of itself, and the JSON of the command.

const declared = (schema.lookup('urlfrontier') as protobuf.Namespace).nestedArray;
const types = declared.filter((one) => one instanceof protobuf.Type);
const codecNamed = (name: string): Codec<unknown> => codecOf(schema.lookupType(`urlfrontier.${name}`));
const itemCodec = codecNamed('URLItem') as Codec<URLItem>;
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('the bytes', () => {
  const info = {
    url: 'http://ä.example/1', key: 'a.example', crawlID: 'news',
    metadata: { status: { values: ['200', ''] }, none: {} },
  };

  // Written by protoc 3.21 and ts-proto 2.18.
  test.each<readonly [type: string, message: object, hex: string]>([
    ['URLItem', {
      item: { $case: 'known', known: { info, refetchableFromDate: 2n ** 63n } }, ID: '7', creationDate: 1,
    }, '12500a430a13687474703a2f2fc3a42e6578616d706c652f311209612e6578616d706c651a110a0673746174757312070a03323030' +
      '0a001a080a046e6f6e65120022046e65777310808080808080808080011a01372001'],
    ['URLItem', { item: { $case: 'discovered', discovered: {} } }, '0a00'],
    ['GetParams', { maxUrlsPerQueue: 1, maxQueues: 2 ** 32 - 1, item: { $case: 'crawlID', crawlID: '' } },
      '080110ffffffff0f3200'],
    ['GetParams', { delayRequestable: 30, item: { $case: 'anyCrawlID', anyCrawlID: {} } }, '201e2a00'],
    ['Stats', { size: '300', inProcess: 2, counts: { completed: 0n, active_queues: 1n } },
      '08ac0210021a0b0a09636f6d706c657465641a110a0d6163746976655f7175657565731001'],
    ['ListUrlParams', { filter: '', ignoreCase: false }, '32003800'],
    ['BatchAck', { ID: 'b', statuses: [0, 1, 2, 300] }, '0a01621205000102ac02'],
  ])('of a %s are those of a generated codec', (type, message, hex) => {
    const codec = codecNamed(type);
    expect(hexOf(codec.encode(message))).toBe(hex);
    expect(hexOf(codec.encode(codec.decode(Buffer.from(hex, 'hex')) as object))).toBe(hex);
  });

  test.each(types)('of a $name: protobufjs reads ours, we read its', (type) => {
    const codec = codecOf(type);
    fc.assert(fc.property(messageOf(type), (message) => {
      const bytes = codec.encode(message);
      const read = flat(codec.decode(bytes)) as object;
      const theirs: unknown = type.toObject(type.decode(bytes), { longs: String, defaults: true });
      expect(read).toEqual(flat(theirs));
      expect(flat(codec.decode(type.encode(type.fromObject(read)).finish()))).toEqual(read);
      expect(hexOf(codec.encode(codec.decode(bytes) as object))).toBe(hexOf(bytes));
    }), { numRuns: 100 });
  });

  test('numbers without a tag each, and entries without a value, are read too', () => {
    expect(codecNamed('BatchAck').decode(Buffer.from('1001120200021002', 'hex')))
      .toEqual({ ID: '', statuses: [1, 0, 2, 2] });
    expect(infoCodec.decode(Buffer.from('1a030a01611a00', 'hex')).metadata)
      .toEqual({ a: { values: [] }, '': { values: [] } });
  });

  test('metadata may have any name', () => {
    const metadata = { ['__proto__']: { values: ['x'] }, constructor: { values: ['y'] } };
    const read = infoCodec.decode(infoCodec.encode({ metadata })).metadata;
    expect(Object.entries(read)).toEqual(Object.entries(metadata));
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  test('fields of a later version are passed over', () => {
    // 100: a text, 101: a number, 102 and 103: 8 and 4 bytes.
    const later = 'a20603616263' + 'a80605' + 'b1060102030405060708' + 'bd0601020304';
    expect(infoCodec.decode(Buffer.from(`0a0161${later}120162`, 'hex')))
      .toEqual({ url: 'a', key: 'b', metadata: {}, crawlID: '' });
  });

  test.each([
    ['a field without a number', '00'], ['the end of a group that none began', '0c'],
    ['a text that is longer than the message', '0a7f61'],
    ['a text that is longer than the entry around it', '1a020a050a0161'],
  ])('%s is an error', (_, hex) => {
    expect(() => infoCodec.decode(Buffer.from(hex, 'hex'))).toThrow();
  });

  test.each([
    ['Long', { value: 2n ** 64n }], ['Long', { value: -1 }], ['Long', { value: 'soon' }], ['Long', { value: 0.5 }],
    ['GetParams', { maxQueues: -1 }], ['GetParams', { maxQueues: 2 ** 32 }], ['GetParams', { maxQueues: 0.5 }],
  ])('a %s cannot hold %o', (type, message) => {
    expect(() => codecNamed(type).encode(message)).toThrow();
  });

  /** A message of any form that a caller may send. */
  function messageOf(type: protobuf.Type): Arbitrary<object> {
    const members: Record<string, Arbitrary<unknown>> = {};
    const choices = new Map<string, Arbitrary<unknown>[]>();
    for (const field of type.fieldsArray) {
      const { name, partOf } = field;
      const value = valueOf(field);
      if (field instanceof protobuf.MapField)
        members[name] = fc.dictionary(fc.string(), value, { noNullPrototype: true });
      else if (field.repeated) members[name] = fc.array(value);
      else if (partOf === null || partOf.isProto3Optional) members[name] = value;
      else {
        const chosen = value.map((one) => ({ $case: name, [name]: one }));
        choices.set(partOf.name, [...choices.get(partOf.name) ?? [], chosen]);
      }
    }
    for (const [name, all] of choices) members[name] = fc.oneof(...all);
    return fc.record(members, { requiredKeys: [] });
  }

  function valueOf({ type, resolvedType }: protobuf.Field): Arbitrary<unknown> {
    if (resolvedType instanceof protobuf.Type) return messageOf(resolvedType);
    if (resolvedType !== null) return fc.nat({ max: 4 });
    return {
      string: fc.oneof(fc.string({ unit: 'grapheme' }), fc.string()), bool: fc.boolean(),
      uint32: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 2 ** 32 - 1 })),
      uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    }[type]!;
  }

  /** A message of either form: a `oneof` is its field alone, 64 bits are a text, and what is not there is left out. */
  function flat(value: unknown): unknown {
    if (typeof value === 'bigint') return value.toString();
    if (Array.isArray(value)) return value.map(flat);
    if (typeof value !== 'object' || value === null) return value;
    type Member = readonly [name: string, value: unknown];
    const members = Object.entries(value).flatMap(([name, member]: Member): Member[] => {
      if (member === null || member === undefined) return [];
      const { $case } = member as { $case?: string };
      return $case === undefined ? [[name, flat(member)]]
        : [[$case, flat((member as Record<string, unknown>)[$case])]];
    });
    return Object.fromEntries(members);
  }
});

describe('the types', () => {
  const read = (name: string): ts.SourceFile => {
    const path = new URL(`../../../src/views/service/frontier/protocol/${name}.ts`, import.meta.url);
    return ts.createSourceFile(name, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  };
  const textOf = (node: ts.Node | undefined): string => (node?.getText() ?? '').replace(/\s+/g, ' ');
  /** The members of each interface, as `NAME: TYPE` and `NAME?: TYPE`. */
  const interfacesOf = (file: ts.SourceFile): Map<string, string[]> => new Map(
    file.statements.filter((one) => ts.isInterfaceDeclaration(one)).map((one) => [
      one.name.text, one.members.filter((member) => ts.isPropertySignature(member)).map((member) =>
        `${member.name.getText()}${textOf(member.questionToken)}: ${textOf(member.type).replace(/^\| /, '')}`),
    ]),
  );

  const plain: Readonly<Record<string, string>> = {
    string: 'string', bool: 'boolean', uint32: 'number', uint64: 'bigint', 'AckMessage.Status': 'AckStatus',
    Status: 'AckStatus', Level: '0 | 1 | 2 | 3 | 4',
  };

  function membersOf(type: protobuf.Type): string[] {
    const members = type.fieldsArray.flatMap((field) => {
      const { name, partOf, resolvedType } = field;
      const value = plain[field.type] ?? field.type;
      if (field instanceof protobuf.MapField) return [`${name}: Readonly<Record<string, ${value}>>`];
      if (field.repeated) return [`${name}: readonly ${value}[]`];
      if (partOf?.isProto3Optional === true) return [`${name}?: ${value} | undefined`];
      if (partOf !== null) return [];
      return [`${name}: ${resolvedType instanceof protobuf.Type ? `${value} | undefined` : value}`];
    });
    const choices = type.oneofsArray.filter((one) => !one.isProto3Optional).map(({ name, fieldsArray }) => {
      const all = fieldsArray.map((field) =>
        `{ readonly $case: '${field.name}'; readonly ${field.name}: ${plain[field.type] ?? field.type} }`);
      return `${name}: ${[...all, 'undefined'].join(' | ')}`;
    });
    return [...choices, ...members].sort();
  }

  test('of messages have the fields of the file', () => {
    const written = interfacesOf(read('messages'));
    const withFields = types.filter(({ fieldsArray }) => fieldsArray.length > 0);
    expect(types.filter((type) => !withFields.includes(type)).map(({ name }) => name)).toEqual(['Empty', 'AnyCrawlID']);
    expect([...written.keys()].sort()).toEqual(withFields.map(({ name }) => name).sort());
    for (const type of withFields)
      expect([type.name, written.get(type.name)!.sort()]).toEqual([type.name, membersOf(type)]);
  });

  test('of calls have those of the file, in its order', () => {
    const message = (type: protobuf.Type | null, isStream: boolean | undefined): string =>
      isStream === true ? `Stream<${type!.name}>` : type!.name;
    const calls = schema.lookupService('urlfrontier.URLFrontier').methodsArray.map((method) =>
      `${method.name[0].toLowerCase()}${method.name.slice(1)}: ` +
        `[sent: ${message(method.resolvedRequestType, method.requestStream)}, ` +
        `answer: ${message(method.resolvedResponseType, method.responseStream)}]`);
    expect(interfacesOf(read('service')).get('Protocol')!.sort()).toEqual(calls.sort());
    expect(calls).toHaveLength(19);
  });
});

test('it describes itself as protoc 3.21 does, byte for byte', () => {
  expect(createHash('sha256').update(descriptorSet()).digest('hex'))
    .toBe('0260d2387e7a2c6c65198c9da7cb9445616c7596b0bc6dc0b1348923ee098e9a');
});

describe('the JSON', () => {
  const info = { url: 'u', key: 'k', metadata: { x: { values: ['1', ''] }, none: { values: [] } }, crawlID: 'c' };

  test('of an item leaves out what has its default', () => {
    const item: DeepPartial<URLItem> = {
      item: { $case: 'known', known: { info, refetchableFromDate: 5n } }, creationDate: 2n ** 60n,
    };
    const json = JSON.stringify(jsonOf(itemCodec.decode(itemCodec.encode(item))));
    expect(json).toBe('{"known":{"info":{"url":"u","key":"k","metadata":{"x":{"values":["1",""]},"none":{}},' +
      '"crawlID":"c"},"refetchableFromDate":"5"},"creationDate":"1152921504606846976"}');
    expect(hexOf(itemCodec.encode(itemOfJson(json)!))).toBe(hexOf(itemCodec.encode(item)));
    const fresh = { item: { $case: 'discovered' as const, discovered: { info: { url: 'u' } } }, ID: '7' };
    expect(jsonOf(itemCodec.decode(itemCodec.encode(fresh)))).toEqual({ discovered: { info: { url: 'u' } }, ID: '7' });
    expect(itemOfJson('{"discovered":{"info":{"url":"u"}},"ID":"7"}')).toEqual(fresh);
  });

  test.each([
    'null', '5', '{', '{}', '{"known":5}', '{"known":{}}', '{"known":{"info":{}}}', '{"known":{"info":{"url":5}}}',
    '{"discovered":{"info":{"url":"u","link":[]}}}', '{"known":{"info":{"url":"u"},"refetchableFromDate":"soon"}}',
    '{"known":{"info":{"url":"u"},"refetchableFromDate":-1}}', '{"known":{"info":{"url":"u"},"refetchable":1}}',
    '{"known":{"info":{"url":"u"},"refetchableFromDate":"18446744073709551616"}}',
    '{"discovered":{"info":{"url":"u"}},"known":{"info":{"url":"u"}}}',
    '{"discovered":{"info":{"url":"u","metadata":{"x":["1"]}}}}',
  ])('%s is no item', (json) => {
    expect(itemOfJson(json)).toBeUndefined();
  });
});

import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import { packageName, readSchema, serviceName } from './schema.ts';

const labels = { single: 1, repeated: 3 };
const [enumType, messageType] = [14, 11];
const scalarTypes: Readonly<Record<string, number>> = { bool: 8, string: 9, uint32: 13, uint64: 4 };

/** `urlfrontier.proto` as the FileDescriptorSet that protoc makes of it, for reflection. */
export function descriptorSet(): Uint8Array {
  const schema = readSchema({ keepCase: true });
  const declared = schema.lookup(packageName) as protobuf.Namespace;
  const file = {
    name: `${packageName}.proto`, package: packageName, syntax: 'proto3',
    messageType: declared.nestedArray.filter((nested) => nested instanceof protobuf.Type).map(messageOf),
    service: [serviceOf(schema.lookupService(serviceName))],
    options: { javaPackage: schema.options!['java_package'] as string },
  };
  const { FileDescriptorSet } = descriptor;
  return FileDescriptorSet.encode(FileDescriptorSet.fromObject({ file: [file] })).finish();
}

function messageOf(type: protobuf.Type): object {
  const { name, fieldsArray: fields, nestedArray, oneofsArray: oneofs } = type;
  const maps = fields.filter((field) => field instanceof protobuf.MapField);
  return {
    name, field: fields.map((field) => fieldOf(field)), nestedType: maps.map((field) => entryOf(field)),
    enumType: nestedArray.filter((nested) => nested instanceof protobuf.Enum).map(enumOf),
    oneofDecl: oneofs.map((oneof) => ({ name: oneof.name })),
  };
}

function fieldOf(field: protobuf.Field): object {
  const { name, id, repeated, partOf, parent } = field;
  const isMap = field instanceof protobuf.MapField;
  return {
    name, number: id, jsonName: protobuf.util.camelCase(name),
    label: repeated || isMap ? labels.repeated : labels.single,
    ...(isMap
      ? { type: messageType, typeName: `${parent!.fullName}.${entryName(field)}` } : typeOf(field)),
    ...(partOf !== null && { oneofIndex: (parent as protobuf.Type).oneofsArray.indexOf(partOf) }),
    ...(partOf?.isProto3Optional === true && { proto3Optional: true }),
  };
}

function typeOf({ type, resolvedType }: Pick<protobuf.Field, 'type' | 'resolvedType'>): object {
  if (resolvedType === null) return { type: scalarTypes[type] };
  return { type: resolvedType instanceof protobuf.Enum ? enumType : messageType, typeName: resolvedType.fullName };
}

/** Entries of a map are a type of their own. */
function entryOf(field: protobuf.MapField): object {
  const key = { name: 'key', number: 1, jsonName: 'key', label: labels.single, type: scalarTypes[field.keyType] };
  const value = { name: 'value', number: 2, jsonName: 'value', label: labels.single, ...typeOf(field) };
  return { name: entryName(field), field: [key, value], options: { mapEntry: true } };
}

function entryName({ name }: protobuf.MapField): string {
  return `${name[0].toUpperCase()}${name.slice(1)}Entry`;
}

function enumOf({ name, values }: protobuf.Enum): object {
  return { name, value: Object.entries(values).map(([value, number]) => ({ name: value, number })) };
}

function serviceOf({ name, methodsArray }: protobuf.Service): object {
  return {
    name, method: methodsArray.map((method) => ({
      name: method.name, inputType: method.resolvedRequestType!.fullName,
      outputType: method.resolvedResponseType!.fullName, options: {},
      ...(method.requestStream === true && { clientStreaming: true }),
      ...(method.responseStream === true && { serverStreaming: true }),
    })),
  };
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import ts from 'typescript';
import { isRecord, toRecord } from '../src/platform/parameters';

const ROOT = path.resolve(__dirname, '..');
const DOCUMENT = path.join(ROOT, 'docs/openapi.json');
const TYPES = path.join(ROOT, 'client/src/schema.ts');

/** The first lines of the generated file. */
const HEAD = `
/* Generated from docs/openapi.json by scripts/client-types.ts; change the server's schemas instead of this file. */
import type { Search, SearchValue } from './search.ts';
`.trimStart();

type Json = Record<string, unknown>;

/**
 * Generates the client's types as TypeScript from the text of the OpenAPI document. In addition to the output of
 * openapi-typescript, the conditions of `q` are typed, files are blobs and ids can be numbers. Long examples are
 * omitted.
 */
async function generateClientTypes(documentText: string): Promise<string> {
  const searches = new Map<string, string>();
  const whole: unknown = JSON.parse(documentText, removeLongExamples);
  if (!isRecord(whole)) throw new Error('the OpenAPI document is not a JSON object');
  const parameters = parametersOf(toRecord(whole['paths']));
  for (const { schema } of parameters.filter(isIdOrName)) schema['x-type'] = 'string | number';
  for (const { parameter, schema: search, operationId } of parameters.filter(({ name }) => name === 'q')) {
    // The type contains the attributes that the description lists.
    parameter['description'] = String(parameter['description']).split('\nAttributes:')[0]?.trim();
    delete search['description'];
    const type = buildSearchType(search['x-attributes'], search['x-orders']);
    const name = searches.get(type) ?? `${operationId.replace(/^list/, '')}Search`;
    searches.set(type, name);
    search['x-type'] = name;
  }
  const aliases = [...searches].map(([type, name]) => `export type ${name} = ${type};\n`);
  // The server generates the document, and its tests validate it against the OpenAPI specification.
  const nodes = await openapiTS(whole as unknown as OpenAPI3, {
    transform,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
    silent: true,
  });
  return `${HEAD}\n${aliases.join('')}\n${print(nodes).replace(SEARCH_PROPERTY, addFlatConditions)}`;
}

function print(nodes: readonly ts.Node[]): string {
  const file = ts.createSourceFile('schema.ts', '', ts.ScriptTarget.ESNext);
  return ts.createPrinter().printList(ts.ListFormat.MultiLine, ts.factory.createNodeArray(nodes), file);
}

function removeLongExamples(this: unknown, key: string, value: unknown): unknown {
  const isLong = key === 'example' ? typeof value === 'object' : key === 'examples' && !isScalarList(value);
  return isLong ? undefined : value;
}

function isScalarList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
}

const transform: NonNullable<OpenAPITSOptions['transform']> = (schema) => {
  if ('x-type' in schema) return ts.factory.createTypeReferenceNode(String(schema['x-type']));
  if (schema.format === 'binary') return ts.factory.createTypeReferenceNode('Blob');
  return undefined;
};

interface Parameter {
  name: unknown;
  parameter: Json;
  schema: Json;
  operationId: string;
}

function parametersOf(paths: Json): Parameter[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(toRecord(methods)));
  return operations.filter(isRecord).flatMap((operation) => {
    const parameters: unknown = operation['parameters'];
    return (Array.isArray(parameters) ? parameters : []).filter(isRecord).flatMap((parameter) => {
      const { name, schema } = parameter;
      return isRecord(schema)
        ? [{ name, parameter, schema, operationId: String(operation['operationId']) }]
        : [];
    });
  });
}

/** Whether the parameter accepts both ids and names, so that its type is `string | number`. */
function isIdOrName({ name, parameter, schema }: Parameter): boolean {
  return parameter['in'] === 'path' && schema['type'] === 'string' && /(^|_)id$/.test(String(name));
}

const KINDS: Record<string, string> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  timestamp: 'time',
  boolean: 'flag',
  json: 'json',
};

function buildSearchType(attributes: unknown, orders: unknown): string {
  const kinds = Object.entries(isRecord(attributes) ? attributes : {}).map(
    ([name, type]) => `  ${name}: '${KINDS[String(type)] ?? 'text'}';\n`,
  );
  const names = Array.isArray(orders) ? orders.map((name) => `'${String(name)}'`).join(' | ') : '';
  return `Search<{\n${kinds.join('')}}${names === '' ? '' : `, ${names}`}>`;
}

const SEARCH_PROPERTY = /^( *)q\?: (\w+Search);$/gm;

/** Adds a type for conditions written as in a URL (`'q[name_cont]'`), besides the object `q`. */
function addFlatConditions(property: string, indent: string): string {
  return `${property}\n${indent}/** One condition, as in a URL. */\n${indent}[condition: \`q[\${string}]\`]: SearchValue;`;
}

/**
 * Writes the types of docs/openapi.json to client/src/schema.ts, which git ignores; an up-to-date file is left alone.
 */
export async function writeClientTypes(): Promise<void> {
  const types = await generateClientTypes(readFileSync(DOCUMENT, 'utf8'));
  if (existsSync(TYPES) && readFileSync(TYPES, 'utf8') === types) return;
  writeFileSync(TYPES, types);
}

if (require.main === module) {
  writeClientTypes().catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}

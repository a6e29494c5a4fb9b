import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString, type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import ts from 'typescript';
import { pathsWithoutTwins } from './paths-without-twins';
import { isRecord } from '../src/platform/http/parameters';

const ROOT = path.resolve(__dirname, '..');
const DOCUMENT = path.join(ROOT, 'docs/openapi.json');
const TYPES = path.join(ROOT, 'client/src/schema.ts');

/** What stands at the top of the generated file. */
const HEAD = `
/* Generated from docs/openapi.json by scripts/client-types.ts: change the server's schemas, not this file. */
import type { Search, SearchValue } from './search.ts';
`.trimStart();

type Json = Record<string, unknown>;

/**
 * The client's types as TypeScript, from the text of the OpenAPI document. Beyond what openapi-typescript does by itself:
 * what `q` may name is typed, files are blobs, ids need not be text, and examples that fill a screen are left to the
 * reference page. What only repeats other operations is left out.
 */
async function clientTypes(documentText: string): Promise<string> {
  const searches = new Map<string, string>();
  const whole: unknown = JSON.parse(documentText, withoutLongExamples);
  if (!isRecord(whole)) throw new Error('the document is no object');
  const document = { ...whole, paths: pathsWithoutTwins(whole) };
  const parameters = parametersOf(document.paths);
  for (const { schema } of parameters.filter(isIdOrName)) schema['x-type'] = 'string | number';
  for (const { parameter, schema: search, operationId } of parameters.filter(({ name }) => name === 'q')) {
    // The attributes it lists are in the type.
    parameter['description'] = String(parameter['description']).split('\nAttributes:')[0]?.trim();
    delete search['description'];
    const type = searchType(search['x-attributes']);
    const name = searches.get(type) ?? `${operationId.replace(/^list/, '')}Search`;
    searches.set(type, name);
    search['x-type'] = name;
  }
  const aliases = [...searches].map(([type, name]) => `export type ${name} = ${type};\n`);
  // The document is the server's own, which its tests hold to the specification.
  const nodes = await openapiTS(document as unknown as OpenAPI3, {
    transform,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
    silent: true,
  });
  return `${HEAD}\n${aliases.join('')}\n${astToString(nodes).replace(SEARCH_PROPERTY, withFlatNames)}`;
}

function withoutLongExamples(this: unknown, key: string, value: unknown): unknown {
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

function parametersOf(paths: Record<string, Json>): Parameter[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
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

/** Where a record may be named by its id or its name, the id need not be made a string. */
function isIdOrName({ name, parameter, schema }: Parameter): boolean {
  return parameter['in'] === 'path' && schema['type'] === 'string' && /(^|_)id$/.test(String(name));
}

const KINDS: Record<string, string> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  timestamp: 'time',
  boolean: 'flag',
};

function searchType(attributes: unknown): string {
  const kinds = Object.entries(isRecord(attributes) ? attributes : {}).map(
    ([name, type]) => `  ${name}: '${KINDS[String(type)] ?? 'text'}';\n`,
  );
  return `Search<{\n${kinds.join('')}}>`;
}

const SEARCH_PROPERTY = /^( *)q\?: (\w+Search);$/gm;

/** Beside `q` as an object, its names may be passed as they stand in a URL, which TypeScript knows by their pattern. */
function withFlatNames(property: string, indent: string): string {
  return `${property}\n${indent}/** One condition, as it stands in a URL. */\n${indent}[condition: \`q[\${string}]\`]: SearchValue;`;
}

/** Writes the types of docs/openapi.json to client/src/schema.ts, which git ignores; a file that is right is left alone. */
export async function writeClientTypes(): Promise<void> {
  const types = await clientTypes(readFileSync(DOCUMENT, 'utf8'));
  if (existsSync(TYPES) && readFileSync(TYPES, 'utf8') === types) return;
  writeFileSync(TYPES, types);
}

if (require.main === module) {
  writeClientTypes().catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}

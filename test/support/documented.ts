import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Response } from 'supertest';
import { apiRouters } from '../../src/routers';
import { ERROR_CODES } from '../../src/errors/error-codes';
import { buildDocument } from '../../src/platform/openapi/document';
import { storeReference } from '../../docs-content/store-reference';
import { getRunFolder } from '../setup/test-server';

interface DocumentedReply {
  content?: Record<string, { schema: object }>;
}

interface Operation {
  'x-aliases'?: string[];
  'x-error-codes': string[];
  responses: Record<string, DocumentedReply | { $ref: string }>;
}

/** The parts of the document that describe replies. */
interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, DocumentedReply>; schemas: object };
}

interface PathEntry {
  pattern: RegExp;
  path: string;
  operations: Record<string, Operation>;
}

const DOCUMENT = 'store.json';

interface Loaded {
  ajv: Ajv2020;
  paths: PathEntry[];
  /** Shared replies by their reference. */
  shared: Map<string, DocumentedReply>;
}

let loaded: Loaded | undefined;
const validators = new Map<DocumentedReply, ValidateFunction>();

/**
 * Returns the document of the running code. Building it takes a quarter of a second, so the files of a run
 * share it.
 */
function readDocument(): ApiDocument {
  const file = path.join(getRunFolder(), 'openapi.json');
  if (!existsSync(file)) {
    const document = buildDocument(
      apiRouters().flatMap((router) => router.endpoints),
      storeReference,
    );
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(document));
    renameSync(draft, file);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as ApiDocument; // Written by this function.
}

function load(): Loaded {
  if (loaded !== undefined) return loaded;
  const document = readDocument();
  // test/contract/openapi.test.ts validates the schemas themselves.
  // Compiling a shared schema once costs less than compiling a copy of it in each schema that refers to it.
  // A validator runs a few times in a file: optimizing its code costs more than it saves.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  addFormats(ajv);
  ajv.addSchema({ $id: DOCUMENT, components: { schemas: document.components.schemas } });
  const paths = Object.entries(addAliases(document.paths)).map(([path, operations]): PathEntry => ({
    path,
    operations,
    pattern: new RegExp(
      `^${path
        .replace(/[.]/g, '\\.')
        .replace(/\{permalink\}/g, '.+')
        .replace(/\{\w+\}/g, '[^/]+')}$`,
    ),
  }));
  // Literal paths match before templates, as in the router.
  paths.sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  const shared = new Map(
    Object.entries(document.components.responses).map(([name, described]) => [
      `#/components/responses/${name}`,
      described,
    ]),
  );
  loaded = { ajv, paths, shared };
  return loaded;
}

/** Adds the operations that are the same as another one. */
function addAliases(paths: ApiDocument['paths']): ApiDocument['paths'] {
  const all = structuredClone(paths);
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const alias of operation['x-aliases'] ?? []) {
      const [method = '', path = ''] = alias.split(' ');
      all[path] = { ...all[path], [method.toLowerCase()]: operation };
    }
  }
  return all;
}

/** Returns the validator of a documented reply, which may refer to schemas of the document. */
function getValidator(described: DocumentedReply, ajv: Ajv2020): ValidateFunction {
  const known = validators.get(described);
  if (known !== undefined) return known;
  const schema = JSON.stringify(described.content?.['application/json']?.schema ?? {});
  const validate = ajv.compile(JSON.parse(schema.replaceAll('"#/components/', `"${DOCUMENT}#/components/`)));
  validators.set(described, validate);
  return validate;
}

/** Throws if an error has no documented code for its status. */
function expectErrorCode({ status, headers, request }: Response): void {
  if (status < 400) return;
  const code: unknown = headers['x-error-code'];
  const documented = Object.entries(ERROR_CODES).find(([name]) => name === code)?.[1];
  if (documented?.status !== status)
    throw new Error(
      `${request.method} ${request.url}: X-Error-Code ${String(code)} is not a code of ${status}`,
    );
}

/** The codes that every operation may return. The document lists them for none, or only where they are likely. */
const CODES_OF_ALL: readonly string[] = [
  'bad_request',
  'invalid_api_key',
  'two_factor_setup_required',
  'request_timeout',
  'request_running',
  'reply_lost',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'files_unavailable',
  'database_unavailable',
  'insufficient_storage',
];

/** Throws if an operation returns a code that the document does not list for it. */
function expectListedCode({ status, headers, request }: Response, listed: readonly string[]): void {
  const code = String(headers['x-error-code']);
  if (status < 400 || listed.includes(code) || CODES_OF_ALL.includes(code)) return;
  const isStrict = String(request.get('Prefer')).includes('strict');
  if (code === 'invalid_resource' && isStrict) return;
  throw new Error(`${request.method} ${request.url}: the document does not list ${code} for it`);
}

/**
 * Returns whether an error is that a record lacks a field which the parameter `fields` does not name. Fields of the list itself
 * are always required.
 */
function buildFieldFilter(fields: string | null, isList: boolean): (error: ErrorObject) => boolean {
  const named = fields?.split(',') ?? [];
  return ({ keyword, instancePath, params }) => {
    if (fields === null || keyword !== 'required') return false;
    const inRecord = isList ? /^\/(?:\w+\/)?\d+(.*)$/.exec(instancePath)?.[1] : instancePath;
    if (inRecord === undefined) return false;
    const names = inRecord.split('/').filter((part) => !/^\d*$/.test(part));
    const path = [...names, params['missingProperty']].join('.');
    return !named.some((name) => path === name || path.startsWith(`${name}.`));
  };
}

/** Throws if a reply of the API has a status, a field or a format that the document does not describe. */
export function expectDocumented(response: Response): void {
  expectErrorCode(response);
  const { ajv, paths, shared } = load();
  const method = response.request.method.toLowerCase();
  const pathname = new URL(response.request.url).pathname.replace(/\/+$/, '').replace(/\.json$/, '');
  const entry = paths.find((candidate) => candidate.pattern.test(pathname) && candidate.operations[method]);
  if (entry === undefined) {
    if (response.status >= 400) return; // Unknown paths and methods are not documented.
    throw new Error(`${method} ${pathname} returned ${response.status}, which is not documented`);
  }
  const { responses = {}, 'x-error-codes': codes = [] } = entry.operations[method] ?? {};
  expectListedCode(response, codes);
  const status = String(response.status);
  const family = `${status.charAt(0)}XX`;
  const key = status in responses ? status : family;
  const named = responses[key];
  const described = named !== undefined && '$ref' in named ? shared.get(named.$ref) : named;
  if (described === undefined)
    throw new Error(`${method} ${entry.path}: status ${status} is not in the document`);
  if (described.content === undefined) {
    if (response.text !== '' && response.text !== undefined)
      throw new Error(`${method} ${entry.path}: unexpected body`);
    return;
  }
  const validate = getValidator(described, ajv);
  const isList =
    Array.isArray(response.body) || ['count', 'next_cursor'].some((name) => name in response.body);
  const isLeftOut = buildFieldFilter(new URL(response.request.url).searchParams.get('fields'), isList);
  const errors = validate(response.body) ? [] : (validate.errors ?? []).filter((error) => !isLeftOut(error));
  if (errors.length > 0) {
    const problems = errors
      .slice(0, 5)
      .map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
    throw new Error(
      `${method} ${entry.path} ${status}: ${problems.join('; ')}\n${response.text.slice(0, 2000)}`,
    );
  }
}

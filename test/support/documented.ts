import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Response } from 'supertest';
import { apiRouters } from '../../src/app';
import { apiDocument } from '../../src/platform/openapi/document';
import { storeReference } from '../../docs-content/store-reference';

interface Described {
  content?: Record<string, { schema: unknown }>;
}

interface Operation {
  responses: Record<string, Described | { $ref: string }>;
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
  /** The replies that several operations share, by their reference. */
  shared: Map<string, Described>;
}

let loaded: Loaded | undefined;
const validators = new Map<string, ValidateFunction>();

/** The published document, built once per test file. */
function load(): Loaded {
  if (loaded !== undefined) return loaded;
  const document = apiDocument(
    apiRouters().flatMap((router) => router.endpoints),
    storeReference,
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ ...document, $id: DOCUMENT });
  const paths = Object.entries(document['paths'] as Record<string, Record<string, Operation>>).map(
    ([path, operations]): PathEntry => ({
      path,
      operations,
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }),
  );
  // Fixed words are matched before placeholders, as the router does.
  paths.sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  const { responses } = document['components'] as { responses: Record<string, Described> };
  const shared = new Map(
    Object.entries(responses).map(([name, described]) => [`#/components/responses/${name}`, described]),
  );
  loaded = { ajv, paths, shared };
  return loaded;
}

/** Fails when a reply of the API has a status, field or shape its document does not tell of. */
export function expectDocumented(response: Response): void {
  const { ajv, paths, shared } = load();
  const method = response.request.method.toLowerCase();
  const pathname = new URL(response.request.url).pathname.replace(/\/+$/, '').replace(/\.json$/, '');
  const entry = paths.find((candidate) => candidate.pattern.test(pathname) && candidate.operations[method]);
  if (entry === undefined) {
    if (response.status >= 400) return; // an unknown path or verb has no operation to be described by
    throw new Error(`${method} ${pathname} answers ${response.status} but is not in the document`);
  }
  const responses = entry.operations[method]?.responses ?? {};
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
  const place =
    named !== undefined && '$ref' in named
      ? named.$ref.slice('#/'.length).split('/')
      : ['paths', entry.path, method, 'responses', key];
  const pointer = [...place, 'content', 'application/json', 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const reference = `${DOCUMENT}#/${pointer}`;
  const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, validate);
  if (!validate(response.body)) {
    const problems = (validate.errors ?? [])
      .slice(0, 5)
      .map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
    throw new Error(
      `${method} ${entry.path} ${status}: ${problems.join('; ')}\n${response.text.slice(0, 2000)}`,
    );
  }
}

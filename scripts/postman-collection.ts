import { createHash } from 'node:crypto';
import { convertV2 } from 'openapi-to-postmanv2';
import { isRecord, toRecord } from '../src/platform/parameters';
import { buildFlowFolder, FLOW_FOLDER, VARIABLES } from '../docs-content/postman/flow-folder';

type Json = Record<string, unknown>;

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const DESCRIPTION = `Set the variable \`token\` to a user's API token; every request sends it as \`X-Store-Token\`. Requests for an
order can also use the variable \`order_token\`, which is sent as \`X-Order-Token\`. The examples use the demo store.

Start with the folder "${FLOW_FOLDER}". The other folders contain every endpoint, except \`PATCH\`, which is the same as \`PUT\`,
and the paths below \`/checkouts/:number/\` that duplicate those below \`/orders/:number/\`. Their requests that write are skipped
until the variable \`allow_writes\` is \`yes\`.

`;

const GUARD_TEXT =
  'Requests that write are skipped until the variable `allow_writes` is `yes`, so the folder can be run as a whole. With `yes`, a run changes and deletes records: use a store that you can lose.';

/** Runs before every request of a folder. */
const GUARD = [
  "if (pm.request.method !== 'GET' && pm.variables.get('allow_writes') !== 'yes') {",
  "  console.warn('skipped: set the variable allow_writes to yes to send requests that write');",
  '  pm.execution.skipRequest();',
  '}',
];

/**
 * Builds a Postman collection, version 2.1, from the OpenAPI document: the checkout folder, then a folder for each tag.
 * The output is deterministic, because ids are derived from names.
 * @throws Error if the converter rejects the document
 */
export async function buildPostmanCollection(document: Json): Promise<object> {
  const paths = toRecord(document['paths']);
  const converted = await convert(document);
  const { title, description } = toRecord(document['info']);
  return {
    info: {
      _postman_id: idOf('collection'),
      name: title,
      description: `${DESCRIPTION}${String(description)}`,
      schema: SCHEMA,
    },
    auth: {
      type: 'apikey',
      apikey: Object.entries({ key: 'X-Store-Token', value: '{{token}}', in: 'header' }).map(
        ([key, value]) => ({ key, value, type: 'string' }),
      ),
    },
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value, type: 'string' })),
    item: [
      buildFlowFolder(idOf),
      ...recordsOf(converted['item']).map((folder) => ({
        id: idOf(`folder ${String(folder['name'])}`),
        name: folder['name'],
        description: `${textOf(folder['description'])}\n\n${GUARD_TEXT}`,
        event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: GUARD } }],
        item: recordsOf(folder['item']).map((item) => buildRequestItem(item, paths)),
      })),
    ],
  };
}

async function convert(document: Json): Promise<Json> {
  const options = {
    folderStrategy: 'Tags',
    parametersResolution: 'Example',
    requestNameSource: 'Fallback',
    preferredRequestBodyType: 'raw',
    alwaysInheritAuthentication: true,
  } as const;
  return new Promise((resolve, reject) => {
    convertV2({ type: 'json', data: document }, options, (error, result) => {
      const collection: unknown = result?.output?.[0]?.data;
      if (result?.result === true && isRecord(collection)) {
        // The converter returns instances of its own classes; convert them to plain JSON.
        resolve(toRecord(JSON.parse(JSON.stringify(collection))));
      } else
        reject(
          new Error('the OpenAPI document could not be converted to a Postman collection', {
            cause: error ?? result?.reason,
          }),
        );
    });
  });
}

function buildRequestItem(item: Json, paths: Json): object {
  const request = toRecord(item['request']);
  const url = toRecord(request['url']);
  const path = `/${listOf(url['path']).map(String).join('/')}`;
  const method = String(request['method']);
  const operation = toRecord(toRecord(paths[path.replace(/:(\w+)/g, '{$1}')])[method.toLowerCase()]);
  const query = queryOf(operation);
  const body = bodyOf(toRecord(request['body']));
  return {
    id: idOf(`${method} ${path}`),
    name: item['name'],
    request: {
      method,
      header: headersOf(operation, body),
      url: {
        raw: `{{baseUrl}}${path}${queryText(query)}`,
        host: url['host'],
        path: url['path'],
        ...(query.length > 0 && { query }),
        variable: recordsOf(url['variable']).map(({ key, value, description }) => ({
          key,
          value,
          description: textOf(description),
        })),
      },
      ...(body !== null && { body }),
      description: textOf(request['description']),
    },
  };
}

function headersOf(operation: Json, body: Json | null): object[] {
  const opens = recordsOf(operation['security']).some((scheme) => 'orderToken' in scheme);
  return [
    { key: 'Accept', value: 'application/json' },
    // For forms, Postman sets the content type with its boundary.
    ...(body?.['mode'] === 'raw' ? [{ key: 'Content-Type', value: 'application/json' }] : []),
    ...(opens ? [{ key: 'X-Order-Token', value: '{{order_token}}' }] : []),
  ];
}

interface QueryParameter {
  key: string;
  value: string;
  description?: string;
  disabled?: true;
}

const PAGING: Readonly<Record<string, string>> = { page: '1', per_page: '25' };

/** Returns the query parameters. Those with an example are enabled, the others disabled. */
function queryOf(operation: Json): QueryParameter[] {
  const parameters = recordsOf(operation['parameters']).filter((one) => one['in'] === 'query');
  return parameters.flatMap(({ name, example, description }) => {
    const key = String(name);
    if (key === 'q') return searchExample(String(description));
    const documented = { key, description: String(description) };
    return typeof example === 'string' || typeof example === 'number'
      ? [{ ...documented, value: String(example) }]
      : [{ ...documented, value: PAGING[key] ?? '', disabled: true as const }];
  });
}

/** Returns the example search from the description of `q`, as disabled parameters. */
function searchExample(description: string): QueryParameter[] {
  const [, example = ''] = /For example `([^`]+)`/.exec(description) ?? [];
  return [...new URLSearchParams(example)].map(([key, value], index) => ({
    key,
    value,
    ...(index === 0 && { description }),
    disabled: true,
  }));
}

function queryText(query: readonly QueryParameter[]): string {
  const enabled = query.filter(({ disabled }) => disabled === undefined);
  return enabled.length === 0 ? '' : `?${enabled.map(({ key, value }) => `${key}=${value}`).join('&')}`;
}

function bodyOf(body: Json): Json | null {
  if (body['mode'] === 'raw') {
    return { mode: 'raw', raw: body['raw'], options: { raw: { language: 'json' } } };
  }
  if (body['mode'] !== 'formdata') return null;
  const formdata = recordsOf(body['formdata']).map(({ key, type }) =>
    type === 'file' ? { key, type, src: [] } : { key, type, value: '', disabled: true },
  );
  return { mode: 'formdata', formdata };
}

/** Derives an id in the form of a UUID from a name. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(`store-api ${name}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function textOf(description: unknown): string {
  return isRecord(description)
    ? textOf(description['content'])
    : typeof description === 'string'
      ? description
      : '';
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function recordsOf(value: unknown): Json[] {
  return listOf(value).filter(isRecord);
}

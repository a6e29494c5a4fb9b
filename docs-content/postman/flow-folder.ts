import { CHECKOUT_FLOW, type Step } from './checkout-flow';

export const FLOW_FOLDER = 'Checkout, start to finish';

/** The variables of the collection with their initial values. */
export const VARIABLES: Readonly<Record<string, string>> = {
  baseUrl: 'http://127.0.0.1:3000',
  token: '',
  allow_writes: '',
  // The document of a URL that ends in .pdf; Postman has no path variable for a part of a segment.
  id: '9',
  ...Object.fromEntries(
    CHECKOUT_FLOW.flatMap(({ variables = {} }) => Object.keys(variables)).map((name) => [name, '']),
  ),
};

const DESCRIPTION = `Run this folder from top to bottom, or with newman. First set the collection variables \`baseUrl\` and
\`token\` (an administrator's token). The script of each request checks the response and saves the values that later requests need.
It leaves one order that is shipped, partly returned and refunded.
The folder works in the demo store, and in any store that has stock, ships to the United States and accepts test cards.`;

/** Builds the folder of the flow in Postman's format, version 2.1. `idOf` returns the id of an item. */
export function buildFlowFolder(idOf: (name: string) => string): object {
  return {
    id: idOf(FLOW_FOLDER),
    name: FLOW_FOLDER,
    description: DESCRIPTION,
    item: CHECKOUT_FLOW.map((step, index) => buildItem(step, idOf(`${FLOW_FOLDER} ${index + 1}`))),
  };
}

function buildItem(step: Step, id: string): object {
  const [method = '', path = ''] = step.request.split(' ');
  return {
    id,
    name: step.name,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: buildScript(step) } }],
    request: {
      method,
      ...(step.by === 'guest' && { auth: { type: 'noauth' } }),
      header: buildHeaders(step),
      url: buildUrl(path),
      ...(step.body !== undefined && { body: buildBody(step.body) }),
    },
  };
}

function buildHeaders({ by, body }: Step): object[] {
  return [
    { key: 'Accept', value: 'application/json' },
    ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ...(by === 'guest' ? [{ key: 'X-Order-Token', value: '{{order_token}}' }] : []),
  ];
}

function buildUrl(text: string): object {
  const [path = '', query] = text.split('?');
  return {
    raw: `{{baseUrl}}/api/v1${text}`,
    host: ['{{baseUrl}}'],
    path: ['api', 'v1', ...path.split('/').filter((segment) => segment !== '')],
    ...(query !== undefined && {
      query: [...new URLSearchParams(query)].map(([key, value]) => ({ key, value })),
    }),
  };
}

/** Ids are numbers, so their variables are written without quotes, except as keys. */
function buildBody(body: unknown): object {
  const raw = JSON.stringify(body, null, 2).replace(/: "(\{\{\w+_id\}\})"/g, ': $1');
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

/**
 * Builds the script that Postman runs after the response. A failed step ends the flow, because later steps depend on
 * it.
 */
function buildScript({ status, expected, variables = {} }: Step): string[] {
  const given = (value: unknown) => JSON.stringify(value);
  const tests = Object.entries(expected).map(
    ([expression, value]) =>
      `pm.test(${given(`${expression} is ${given(value)}`)}, () => pm.expect(${expression}).to.eql(${given(value)}));`,
  );
  return [
    `pm.test("status is ${status}", () => pm.response.to.have.status(${status}));`,
    `if (pm.response.code !== ${status}) pm.execution.setNextRequest(null);`,
    'const reply = pm.response.json();',
    ...tests,
    ...Object.entries(variables).map(
      ([name, expression]) => `pm.collectionVariables.set(${given(name)}, ${expression});`,
    ),
  ];
}

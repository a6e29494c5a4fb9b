import { CHECKOUT_FLOW, type Step } from './checkout-flow';

export const FLOW_FOLDER = 'Checkout, start to finish';

/** The variables of the collection and what they are before anything has run. */
export const VARIABLES: Readonly<Record<string, string>> = {
  baseUrl: 'http://127.0.0.1:3000',
  token: '',
  ...Object.fromEntries(
    CHECKOUT_FLOW.flatMap(({ keep = {} }) => Object.keys(keep)).map((name) => [name, '']),
  ),
};

const DESCRIPTION = `Run it from top to bottom, or with newman. Set the collection's variables \`baseUrl\` and \`token\`
(an administrator's) first; each request's script checks the reply and keeps what the next ones need. It works in the demo
store as it is, and in any that has goods in stock, ships to the United States and takes cards of the test gateway.`;

/** The flow as a folder in Postman's format, version 2.1. `idOf` gives items their ids. */
export function flowFolder(idOf: (name: string) => string): object {
  return {
    id: idOf(FLOW_FOLDER),
    name: FLOW_FOLDER,
    description: DESCRIPTION,
    item: CHECKOUT_FLOW.map((step, index) => itemOf(step, idOf(`${FLOW_FOLDER} ${index + 1}`))),
  };
}

function itemOf(step: Step, id: string): object {
  const [method = '', path = ''] = step.ask.split(' ');
  return {
    id,
    name: step.name,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(step) } }],
    request: {
      method,
      ...(step.by === 'guest' && { auth: { type: 'noauth' } }),
      header: headersOf(step),
      url: urlOf(path),
      ...(step.body !== undefined && { body: jsonBody(step.body) }),
    },
  };
}

function headersOf({ by, body }: Step): object[] {
  return [
    { key: 'Accept', value: 'application/json' },
    ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ...(by === 'guest' ? [{ key: 'X-Order-Token', value: '{{order_token}}' }] : []),
  ];
}

function urlOf(text: string): object {
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

/** Ids are numbers: their variables stand without quotes, except where they are names. */
function jsonBody(body: unknown): object {
  const raw = JSON.stringify(body, null, 2).replace(/: "(\{\{\w+_id\}\})"/g, ': $1');
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

/** What Postman runs when the reply is there; the flow ends where a step fails, since the next ones would ask nonsense. */
function scriptOf({ status, facts, keep = {} }: Step): string[] {
  const given = (value: unknown) => JSON.stringify(value);
  const tests = Object.entries(facts).map(
    ([expression, value]) =>
      `pm.test(${given(`${expression} is ${given(value)}`)}, () => pm.expect(${expression}).to.eql(${given(value)}));`,
  );
  return [
    `pm.test("answers ${status}", () => pm.response.to.have.status(${status}));`,
    `if (pm.response.code !== ${status}) pm.execution.setNextRequest(null);`,
    'const reply = pm.response.json();',
    ...tests,
    ...Object.entries(keep).map(
      ([name, expression]) => `pm.collectionVariables.set(${given(name)}, ${expression});`,
    ),
  ];
}

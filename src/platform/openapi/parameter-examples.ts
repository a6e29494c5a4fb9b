import type { EndpointDescription, Route } from '../http/endpoint';
import type { ApiReference, ParameterExample } from './reference';

type Examples = Readonly<Record<string, ParameterExample>>;
type Named = Pick<EndpointDescription, 'route' | 'path' | 'sameAs'>;

/** Returns the examples of path parameters. A second path of an endpoint has the examples of the first. */
export function findPathExamples(
  endpoint: Named,
  { places, routes }: ApiReference['parameterExamples'],
): Examples {
  const path = `${(endpoint.sameAs ?? endpoint).path}/`;
  const examples: Record<string, ParameterExample> = {};
  for (const { 1: name = '', 0: match, index } of path.matchAll(/:(\w+)(?=[/.])/g)) {
    const example = places[path.slice(0, index + match.length)];
    if (example !== undefined) examples[name] = example;
  }
  return { ...examples, ...findByRoute(routes, endpoint) };
}

/** Returns the examples of query parameters. */
export function findQueryExamples(endpoint: Named, { queries }: ApiReference['parameterExamples']): Examples {
  return findByRoute(queries, endpoint) ?? {};
}

/** Returns the route whose example creates the record that this route's example uses; undefined if there is none. */
export function findExampleSource(
  endpoint: Named,
  { madeBy }: ApiReference['parameterExamples'],
): Route | undefined {
  return findByRoute(madeBy, endpoint);
}

function findByRoute<T>(table: Partial<Record<Route, T>>, { route, sameAs }: Named): T | undefined {
  return table[route] ?? (sameAs && table[sameAs.route]);
}

import type { EndpointDescription, Route } from '../http/endpoint';
import type { ApiReference, ParameterExample } from './reference';

type Examples = Readonly<Record<string, ParameterExample>>;
type Named = Pick<EndpointDescription, 'route' | 'path' | 'sameAs'>;

/** The record that each parameter of a path names in the examples. A second path has the examples of the first. */
export function findPathExamples(
  endpoint: Named,
  { places, routes }: ApiReference['parameterExamples'],
): Examples {
  const path = `${(endpoint.sameAs ?? endpoint).path}/`;
  const examples: Record<string, ParameterExample> = {};
  for (const { 1: name = '', 0: match, index } of path.matchAll(/:(\w+)(?=\/)/g)) {
    const example = places[path.slice(0, index + match.length)];
    if (example !== undefined) examples[name] = example;
  }
  return { ...examples, ...findByRoute(routes, endpoint) };
}

/** The query parameters of the example. */
export function findQueryExamples(endpoint: Named, { queries }: ApiReference['parameterExamples']): Examples {
  return findByRoute(queries, endpoint) ?? {};
}

/** The route whose example has to be tried before this one's, if there is one. */
export function findExampleSource(
  endpoint: Named,
  { madeBy }: ApiReference['parameterExamples'],
): Route | undefined {
  return findByRoute(madeBy, endpoint);
}

function findByRoute<T>(table: Partial<Record<Route, T>>, { route, sameAs }: Named): T | undefined {
  return table[route] ?? (sameAs && table[sameAs.route]);
}

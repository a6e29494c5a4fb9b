import type { EndpointDescription, Route } from '../http/endpoint';
import type { ApiReference, ParameterExample } from './reference';

type Examples = Readonly<Record<string, ParameterExample>>;
type Named = Pick<EndpointDescription, 'route' | 'path' | 'sameAs'>;

/** The record that each parameter of a path names in the examples. A second path has the examples of the first. */
export function pathExamples(
  endpoint: Named,
  { places, routes }: ApiReference['parameterExamples'],
): Examples {
  const path = `${(endpoint.sameAs ?? endpoint).path}/`;
  const examples: Record<string, ParameterExample> = {};
  for (const { 1: name = '', 0: match, index } of path.matchAll(/:(\w+)(?=\/)/g)) {
    const example = places[path.slice(0, index + match.length)];
    if (example !== undefined) examples[name] = example;
  }
  return { ...examples, ...ofRoute(routes, endpoint) };
}

/** The query parameters of the example. */
export function queryExamples(endpoint: Named, { queries }: ApiReference['parameterExamples']): Examples {
  return ofRoute(queries, endpoint) ?? {};
}

/** The route whose example has to be tried before this one's, if there is one. */
export function exampleMadeBy(
  endpoint: Named,
  { madeBy }: ApiReference['parameterExamples'],
): Route | undefined {
  return ofRoute(madeBy, endpoint);
}

function ofRoute<T>(table: Partial<Record<Route, T>>, { route, sameAs }: Named): T | undefined {
  return table[route] ?? (sameAs && table[sameAs.route]);
}

/**
 * Serializes a query string for the API: arrays as `ids[]=1&ids[]=2`, objects as `q[name_cont]=mug`. Null, undefined and
 * empty arrays are omitted. Names that already contain brackets are kept. The object of a condition `_contains` is sent as JSON,
 * because its numbers are not texts.
 */
export function serializeQuery(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) appendTo(parameters, name, value);
  return parameters.toString();
}

/** Serializes a body as JSON, or as multipart if it contains a file. */
export function serializeBody(body: unknown): string | FormData {
  if (body instanceof FormData) return body;
  const parts = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  if (!parts.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of parts) appendTo(form, name, value);
  return form;
}

interface Parts {
  append(name: string, value: string | Blob): void;
}

function appendTo(parts: Parts, name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (value instanceof Date) parts.append(name, value.toISOString());
  else if (Array.isArray(value)) for (const entry of value) appendTo(parts, `${name}[]`, entry);
  else if (value instanceof Blob) parts.append(name, value);
  else if (typeof value === 'object' && /_contains\]?$/.test(name)) parts.append(name, JSON.stringify(value));
  else if (typeof value === 'object')
    for (const [key, entry] of Object.entries(value)) appendTo(parts, `${name}[${key}]`, entry);
  else parts.append(name, typeof value === 'string' ? value : JSON.stringify(value));
}

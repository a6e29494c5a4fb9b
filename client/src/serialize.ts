/**
 * The query string as the API reads it: lists as `ids[]=1&ids[]=2`, records as `q[name_cont]=mug`. What is null,
 * undefined or an empty list is left out. Names that already have brackets are sent as they stand.
 */
export function querySerializer(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) appendTo(parameters, name, value);
  return parameters.toString();
}

/** A body as JSON, or as multipart when there is a file in it. */
export function bodySerializer(body: unknown): string | FormData {
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
  else if (typeof value === 'object')
    for (const [key, entry] of Object.entries(value)) appendTo(parts, `${name}[${key}]`, entry);
  else parts.append(name, typeof value === 'string' ? value : JSON.stringify(value));
}

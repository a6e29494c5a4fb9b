/** A request that kills the server it is sent to (dying-server.ts), and is sent again afterwards. */
export interface FatalRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** JSON text, or the bytes of a picture in base64. */
  json?: string;
  picture?: string;
}

/** The request as fetch sends it. */
export function fetchOptions({ method, headers, json, picture }: FatalRequest): RequestInit {
  if (picture !== undefined) {
    const body = new FormData();
    body.set('image[attachment]', new Blob([Buffer.from(picture, 'base64')]), 'a.png');
    return { method, headers, body };
  }
  return json === undefined
    ? { method, headers }
    : { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: json };
}

/** A request that kills the server it is sent to (dying-server.ts), and is sent again afterwards. */
export interface FatalRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** JSON text, or the bytes of a picture in base64. */
  json?: string;
  picture?: string;
  /** When the server dies; by default before it stores the reply. */
  dies?: Moment;
}

/** The moments of a payment: its operation is committed, the gateway has performed it, its result is about to be committed. */
export const MOMENTS_OF_PAYMENTS = ['before the gateway', 'after the gateway', 'before the result'] as const;

export type Moment = (typeof MOMENTS_OF_PAYMENTS)[number] | 'before the reply';

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

/** A reply that is already JSON text with its validator: sent as it is, nothing serialized again. */
export interface ReadyReply {
  ready: true;
  body: Buffer;
  etag: string;
  headers: Record<string, string>;
}

export function isReadyReply(value: unknown): value is ReadyReply {
  return typeof value === 'object' && value !== null && 'ready' in value && value.ready === true;
}

import type { InvalidResource, paths } from './schema.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The paths that answer to the method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

/** What an operation answers when it does what it is asked: a record, a page of a list, or nothing. */
export type Data<Operation> = Operation extends { responses: infer Replies }
  ? { [S in keyof Replies & (200 | 201 | 204)]: JsonOf<Replies[S], undefined> }[keyof Replies &
      (200 | 201 | 204)]
  : never;

/** What it answers when it refuses; `errors` are the messages by field, when the input is at fault. */
export type Refusal<Operation> = Operation extends { responses: infer Replies }
  ? { [S in Exclude<keyof Replies, 200 | 201 | 204 | 304>]: Plain<JsonOf<Replies[S], never>> }[Exclude<
      keyof Replies,
      200 | 201 | 204 | 304
    >]
  : never;

type JsonOf<Reply, Otherwise> = Reply extends { content: { 'application/json': infer Body } }
  ? Body
  : Otherwise;

/** One shape for refusals with and without messages by field, so that they can be read without asking which it is. */
type Plain<Body> = Body extends { error: string } ? InvalidResource : Body;

/** Path and query of an operation. */
export type Params<Operation> = Operation extends { parameters: infer All }
  ? { [In in keyof All as In extends 'path' | 'query' ? In : never]: All[In] }
  : never;

type Body<Operation> = Operation extends { requestBody?: never }
  ? { body?: undefined }
  : Operation extends { requestBody: { content: infer Content } }
    ? { body: Content[keyof Content] }
    : Operation extends { requestBody?: { content: infer Content } }
      ? { body?: Content[keyof Content] }
      : never;

/** `type` under its key, which may be left out when nothing in it is required. */
export type MaybeParams<Type> = Record<never, never> extends Type ? { params?: Type } : { params: Type };

export interface CallOptions extends Omit<RequestInit, 'body' | 'headers' | 'method' | 'redirect'> {
  /** Of this call alone; they go before the tokens of the client. */
  headers?: Record<string, string>;
}

type Init<Operation> = MaybeParams<Params<Operation>> & Body<Operation> & CallOptions;

type Optional<Type> = Record<never, never> extends Type ? [init?: Type] : [init: Type];

/** `data` when the operation has done what it was asked, else `error`; and the `Response` either came in. */
export type Result<Operation> =
  | { data: Data<Operation>; error?: never; response: Response }
  | { data?: never; error: Refusal<Operation>; response: Response };

/**
 * Calls the operation of this method at `path`. Spelled out here because the inference of openapi-fetch accepts
 * misspelt parameters and fields.
 */
export type Call<M extends Method> = <P extends PathWith<M>>(
  path: P,
  ...init: Optional<Init<paths[P][M]>>
) => Promise<Result<paths[P][M]>>;

/**
 * Every operation of the API by method and path, as the reference at /docs spells them; `PATCH`, which is `PUT`, and the
 * paths below /checkouts/{number}/ that repeat those of orders are left out.
 */
export interface Calls {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  DELETE: Call<'delete'>;
}

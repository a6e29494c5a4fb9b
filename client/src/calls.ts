import type { InvalidResource, paths } from './schema.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The paths that support the method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

type Success = 200 | 201 | 202 | 204;

/** The body of a successful response: a record, a page of a list, a file as text (CSV) or `Blob`, or undefined. */
export type Data<Operation> = Operation extends { responses: infer Replies }
  ? { [S in keyof Replies & Success]: BodyOf<Replies[S], undefined> }[keyof Replies & Success]
  : never;

/** The body of an error response; `errors` contains the messages by field if the input is invalid. */
export type Refusal<Operation> = Operation extends { responses: infer Replies }
  ? { [S in Exclude<keyof Replies, Success | 304>]: Plain<BodyOf<Replies[S], never>> }[Exclude<
      keyof Replies,
      Success | 304
    >]
  : never;

type BodyOf<Reply, Otherwise> = Reply extends { content: infer Content } ? Content[keyof Content] : Otherwise;

/** One shape for errors with and without messages by field, so that both can be read without a type check. */
type Plain<Body> = Body extends { error: string } ? InvalidResource : Body;

/** Path and query parameters of an operation. */
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

/** `Type` as `params`, which is optional if none of its properties is required. */
export type MaybeParams<Type> = Record<never, never> extends Type ? { params?: Type } : { params: Type };

export interface CallOptions extends Omit<RequestInit, 'body' | 'headers' | 'method' | 'redirect'> {
  /** Headers of this call only; they take precedence over the client's tokens. */
  headers?: Record<string, string>;
}

type Init<Operation> = MaybeParams<Params<Operation>> & Body<Operation> & CallOptions;

type Optional<Type> = Record<never, never> extends Type ? [init?: Type] : [init: Type];

/** `data` of a successful response or `error` of an error response, and the `Response` itself. */
export type Result<Operation> =
  | { data: Data<Operation>; error?: never; response: Response }
  | { data?: never; error: Refusal<Operation>; response: Response };

/**
 * Calls the operation of this method at `path`. Typed here because the inference of openapi-fetch accepts misspelled
 * parameters and fields.
 */
export type Call<M extends Method> = <P extends PathWith<M>>(
  path: P,
  ...init: Optional<Init<paths[P][M]>>
) => Promise<Result<paths[P][M]>>;

/**
 * Every operation of the API by method and path, as in the reference at /docs. `PATCH`, which is the same as `PUT`, is
 * omitted, and so are the paths below /checkouts/{number}/ that duplicate those of orders.
 */
export interface Calls {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  DELETE: Call<'delete'>;
}

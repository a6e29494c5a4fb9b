export { createStoreClient, type StoreClient, type StoreClientOptions, type Token } from './client.ts';
export type { Call, CallOptions, Calls, Data, Method, PathWith, Refusal, Result } from './calls.ts';
export type { ListPath, RecordOf } from './each.ts';
export { StoreError, unwrap, type Outcome } from './errors.ts';
export type { Warn } from './ignored.ts';
export { createKey, type RetryOptions } from './retry.ts';
export type * from './schema.ts';
export type { Search, SearchValue } from './search.ts';

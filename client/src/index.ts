export { createStoreClient, type StoreClient, type StoreClientOptions, type Token } from './client.ts';
export type { ListPath, RecordOf } from './each.ts';
export { StoreError, unwrap, type Outcome, type Refusal } from './errors.ts';
export type { RetryOptions } from './retry.ts';
export type * from './schema.ts';
export type { Search, SearchValue } from './search.ts';

import type { ErrorCode } from '../src/errors/error-codes';
import type { Route } from '../src/platform/http/endpoint';

/** The error codes that operations return besides those that follow from their access and input. */
export const errorCodes: Partial<Record<Route, readonly ErrorCode[]>> = {};

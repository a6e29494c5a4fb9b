/** Messages and bodies of errors that many endpoints share. */
export const INVALID = 'Invalid resource. Please fix errors and try again.';
export const NOT_TRANSITIONED = 'The order could not be transitioned. Please fix the errors and try again.';
export const NOT_FOUND = { error: 'The resource you were looking for could not be found.' };

/** Builds the body of a 422 with errors by field. */
export const invalid = (errors: object) => ({ error: INVALID, errors });

/** Builds the body of a 422 for an order that cannot change its state. */
export const notTransitioned = (errors: object) => ({ error: NOT_TRANSITIONED, errors });

/** An id that no record has. */
export const UNKNOWN_ID = 2147483647;

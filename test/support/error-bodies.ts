/** Texts and bodies of error replies that many endpoints share. */
export const INVALID = 'Invalid resource. Please fix errors and try again.';
export const NOT_TRANSITIONED = 'The order could not be transitioned. Please fix the errors and try again.';
export const NOT_FOUND = { error: 'The resource you were looking for could not be found.' };

/** The body of a 422 with errors by field. */
export const invalid = (errors: object) => ({ error: INVALID, errors });

/** The body of a 422 of an order that cannot change its state. */
export const notTransitioned = (errors: object) => ({ error: NOT_TRANSITIONED, errors });

/** An id that no record has. */
export const UNKNOWN_ID = 2147483647;

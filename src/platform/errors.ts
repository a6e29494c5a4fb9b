/** Messages by field. Nested fields use dotted keys (`bill_address.firstname`); `base` stands for the whole record. */
export type FieldErrors = Record<string, string[]>;

/** Common field messages, with the same text as in Rails. */
export const BLANK = "can't be blank";
export const INVALID = 'is invalid';
export const TAKEN = 'has already been taken';

/** Base class of all expected errors of the API. `error-handler.ts` maps them to status and body. */
export abstract class DomainError extends Error {
  /** One sentence that helps the client to correct the request (`X-Error-Hint`). It never repeats input. */
  hint: string | null = null;

  withHint(hint: string): this {
    this.hint = hint;
    return this;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/** The record does not exist or is not visible to the actor. */
export class NotFound extends DomainError {}

/** Returns the record that a query has found. @throws NotFound if it has found none */
export function requireFound<T>(found: T): NonNullable<T> {
  if (found === undefined || found === null) throw new NotFound();
  return found;
}

/** No endpoint has this path. */
export class UnknownRoute extends NotFound {}

/** Endpoints have this path, but with other methods. */
export class UnknownMethod extends NotFound {
  constructor(readonly allowed: readonly string[]) {
    super();
  }
}

/** The actor lacks permission. */
export class NotAuthorized extends DomainError {}

/**
 * Too many attempts; the client may retry after `retryAfterSeconds`. `limit` is how many are allowed within how many
 * seconds.
 */
export class TooManyAttempts extends DomainError {
  constructor(
    readonly retryAfterSeconds: number,
    readonly limit: { attempts: number; seconds: number },
  ) {
    super('too many attempts');
  }
}

/** The input is invalid. */
export class InvalidResource extends DomainError {
  constructor(readonly errors: FieldErrors) {
    super(`invalid resource: ${JSON.stringify(errors)}`);
  }
}

/** A state machine rejects the event in the current state. */
export class TransitionRefused extends DomainError {
  /** `details` are lists of records that the errors concern, by their key next to the messages. */
  constructor(
    readonly errors: FieldErrors,
    readonly details: Record<string, readonly object[]> = {},
  ) {
    super(`transition refused: ${JSON.stringify(errors)}`);
  }
}

/** An error (422) whose message is a fixed sentence (`Cannot ship shipment.`). */
export class Refused extends DomainError {}

/** An `Idempotency-Key` was used for another request. */
export class KeyReused extends Refused {}

/** A batch has wrong rows, so none was written (422). `result` is the body that a successful batch has. */
export class BatchRefused extends DomainError {
  constructor(readonly result: BatchResult) {
    super('the batch has wrong rows');
  }
}

/** What became of the rows of a batch. */
export type BatchResult = { results: readonly object[]; changed: number; unchanged: number; failed: number };

/** A concurrent request holds the record and did not finish in time; the client may retry (409). */
export class Conflict extends DomainError {}

/** A request with the same `Idempotency-Key` is still running (409). */
export class RequestRunning extends Conflict {}

/** The first request with this `Idempotency-Key` had its effect, but its reply cannot be rebuilt (409). */
export class ReplyLost extends Conflict {}

/** The record has changed since the client read the `ETag` that it sent as `If-Match` (412). */
export class PreconditionFailed extends DomainError {}

/** The request is malformed (400): invalid JSON, too deeply nested, too many parameters. */
export class BadRequest extends DomainError {
  constructor(message = 'The request body could not be parsed.') {
    super(message);
  }
}

/** The body was not read, because of its Content-Type (415). */
export class UnsupportedMediaType extends DomainError {}

/** The body or an upload is too large (413). */
export class TooLarge extends DomainError {}

/** There is no space for a file (507). The cause is the error of the disk. */
export class InsufficientStorage extends DomainError {
  constructor(cause: unknown) {
    super('the disk is full', { cause });
  }
}

/** The service is unavailable (503): there are too many requests, or something that it needs is not reachable. */
export class Unavailable extends DomainError {
  /** @param reason for the log only */
  constructor(
    message: string,
    readonly retryAfterSeconds = 1,
    reason?: string,
  ) {
    super(message, reason === undefined ? undefined : { cause: new Error(reason) });
  }
}

/** The storage of files does not answer, or fails (503). */
export class FilesUnavailable extends Unavailable {
  /** @param code of the disk or the service, for the log only */
  constructor(code: string) {
    super('Files are not available. Please try again.', 5, `the file storage does not work: ${code}`);
  }
}

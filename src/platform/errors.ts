/** Messages by field; nested input uses dotted keys (`bill_address.firstname`), the whole record uses `base`. */
export type FieldErrors = Record<string, string[]>;

/** The messages of fields that several places give, in the words Rails clients know. */
export const BLANK = "can't be blank";
export const INVALID = 'is invalid';
export const TAKEN = 'has already been taken';

/** Base of every refusal the API can answer with; src/errors/error-handler.ts alone gives each its status and body. */
export abstract class DomainError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** The record does not exist, or the caller may not know that it does. */
export class NotFound extends DomainError {}

/** The caller may not do this, signed in or not. */
export class NotAuthorized extends DomainError {}

/** Too many attempts; try again after `retryAfterSeconds`. */
export class TooManyAttempts extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    super('too many attempts');
  }
}

/** The input breaks validation rules. */
export class InvalidResource extends DomainError {
  constructor(readonly errors: FieldErrors) {
    super(`invalid resource: ${JSON.stringify(errors)}`);
  }
}

/** A state machine refuses the event in the record's present state. */
export class TransitionRefused extends DomainError {
  constructor(readonly errors: FieldErrors) {
    super(`transition refused: ${JSON.stringify(errors)}`);
  }
}

/** A refusal whose whole body is one sentence of the specification (`Cannot ship shipment.`), status 422. */
export class Refused extends DomainError {}

/** Another request is changing the same record and did not finish in time; the client may repeat (409). */
export class Conflict extends DomainError {}

/** The request cannot be read as HTTP asks (400): malformed JSON, too deep, too many parameters. */
export class BadRequest extends DomainError {
  constructor(message = 'The request body could not be parsed.') {
    super(message);
  }
}

/** The body, or an upload in it, is larger than accepted (413). */
export class TooLarge extends DomainError {}

/** The service cannot answer now (503): database away, or too many requests in flight. */
export class Unavailable extends DomainError {
  constructor(
    message: string,
    readonly retryAfterSeconds = 1,
  ) {
    super(message);
  }
}

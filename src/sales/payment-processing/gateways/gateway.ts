import type { Amount, Currency } from '../../../platform/money';
import type { RequiredAction } from '../../order/order-graph';

/** The fields of every request to a gateway. */
export interface BaseRequest {
  amount: Amount;
  currency: Currency;
  /**
   * The same for every attempt of one operation on one payment. For a repeated key a gateway must return the outcome of
   * the first attempt and move no money again. This is how interrupted payments are settled.
   */
  idempotency_key: string;
  order_number: string;
  payment_number: string;
  /** The number of the payment whose authorization this one is part of; its own unless it is the rest of a capture. */
  authorization: string;
  /** When the request was first sent. Providers forget idempotency keys after some time. */
  started_at: Date;
}

/**
 * The card of a payment, identified by ids that the gateway assigned. Never the card number. A tokenized card that the
 * gateway has not confirmed yet has only a payment profile, which is what the client sent.
 */
export interface GatewaySource {
  gateway_customer_profile_id: string | null;
  gateway_payment_profile_id: string | null;
  /** The card belongs to an account, whose user pays with it again. */
  is_kept?: boolean;
  /** The payment profile is a saved card of another user. A gateway must not charge it. */
  is_saved_by_another_user: boolean;
}

/** The request of authorize and purchase. `source` is null for methods without a card. */
export interface ChargeRequest extends BaseRequest {
  source: GatewaySource | null;
}

/** The request of capture and credit. `response_code` is the one of an earlier result. */
export interface FollowUpRequest extends BaseRequest {
  source: GatewaySource | null;
  response_code: string | null;
}

/**
 * What a void ends. The rest of a partly captured authorization has the response code of the authorization, which at
 * some providers is also the one of the capture, so the code alone does not tell them apart.
 * - `authorization`: an authorization without captures.
 * - `remainder`: what is left of a partly captured authorization. Its captures stay.
 * - `capture`: the captured amount of the payment. What is left of its authorization stays.
 * - `sale`: everything under the response code, captures and remainder, because the order is canceled. Nothing of it has
 *   been credited.
 */
export type VoidScope = 'authorization' | 'remainder' | 'capture' | 'sale';

export interface VoidRequest extends FollowUpRequest {
  scope: VoidScope;
}

/** An approval. A null code leaves the stored one of an earlier result in place. */
export interface Approved {
  approved: true;
  /** The gateway's id of the transaction; follow-up requests refer to it. */
  response_code: string | null;
  avs_response: string | null;
  cvv_response: string | null;
  message: string;
  /** What the gateway knows of a tokenized card that it has confirmed; replaces what the client sent. */
  card?: Partial<StoredCard & CardProfile>;
}

export interface Declined {
  approved: false;
  response_code: string | null;
  avs_response: string | null;
  cvv_response: string | null;
  /** For a void: the sale is settled, so only a credit can refund it. */
  is_settled?: true;
  /** Shown to the buyer as "There was a problem with the payment gateway: <message>". */
  message: string;
}

/** The decision of a provider. */
export type GatewayResult = Approved | Declined;

/** The codes of a decision that has none. */
export const NO_CODES = { response_code: null, avs_response: null, cvv_response: null } as const;

/** Builds a decline, by default without codes. */
export function decline(
  message: string,
  rest: Partial<Omit<Declined, 'approved' | 'message'>> = {},
): Declined {
  return { approved: false, ...NO_CODES, message, ...rest };
}

/** The provider has not decided yet. It reports the decision by an event, or as the answer to `confirm`. */
export interface Waiting {
  waiting: true;
  /** The provider's id of the transaction, for `confirm` and `abandon`. */
  response_code: string | null;
  /** Null if no action is required. */
  requires_action: RequiredAction | null;
}

/** The answer to a request. Only a gateway with `confirm` and `abandon` may answer that it waits. */
export type GatewayAnswer = GatewayResult | Waiting;

/** Returns whether the provider has not decided yet. */
export function isWaiting(answer: GatewayAnswer): answer is Waiting {
  return 'waiting' in answer;
}

/** A request that waits. Its `response_code` is the one of the answer that it waits, or of an event. */
export interface WaitingRequest extends VoidRequest {
  kind: 'authorize' | 'purchase' | 'capture' | 'void' | 'credit';
}

/** A message of the provider as it was received. The signature is of exactly this text. */
export interface RawEvent {
  body: string;
  /** Returns a header; null if it is missing. */
  header: (name: string) => string | null;
}

/** What a genuine message of the provider is about. */
export interface GatewayEvent {
  /** The provider's id of the event, the same each time that it is sent. */
  id: string;
  type: string;
  /** Our number of the payment, which the gateway gave the provider with the request; null if it is about none. */
  payment_number: string | null;
  /**
   * The provider's id of the transaction, to ask about a charge whose answer is unknown. Null if anybody else can make transactions
   * that have our number.
   */
  response_code: string | null;
  /** The decision, of a gateway whose events are final. Otherwise `confirm` is called. */
  result?: GatewayResult;
  /** The buyer disputes the payment. */
  dispute?: { id: string; state: string; amount: Amount; reason: string | null };
  /**
   * Money was given back: the provider's id of the refund. One that the store has not made is recorded, so the event must name a
   * payment that only our call can have made.
   */
  refund?: { id: string; amount: Amount; currency: Currency };
  /**
   * An authorization was captured, or has ended uncaptured if `captured` is null. `reference` is the code of payments that this capture
   * pays, which may be that of the authorization; `amount` is all that was captured under it. What the store has not asked for is
   * recorded for the payments that the authorization belongs to, so buyers must not be able to choose its id.
   */
  settlement?: {
    authorization: string;
    captured: { reference: string; amount: Amount; currency: Currency } | null;
  };
  /** A refund has failed after it was approved: its `response_code`. The money is back at the provider. */
  failed_refund?: string;
}

/** Money that a provider has moved, as its list of transactions shows it. */
export interface Movement {
  /** A refund that failed later is a `failed_refund`, beside the refund. */
  kind: 'capture' | 'refund' | 'failed_refund';
  /** The number of the payment that the charge was for; null if the provider does not know it. */
  payment_number: string | null;
  /** The provider's id of the transaction. */
  reference: string;
  amount: Amount;
  currency: Currency;
  moved_at: Date;
}

/** What a provider lists of a period. */
export interface MovementList {
  movements: Movement[];
  /** The list begins here, because the provider knows nothing of the time before. */
  since?: Date;
}

/** A period of time; `to` is excluded. */
export interface Period {
  from: Date;
  to: Date;
}

/** The signature of an event is missing, wrong or too old. */
export class WrongSignature extends Error {}

export interface CardProfile {
  gateway_customer_profile_id: string | null;
  gateway_payment_profile_id: string | null;
}

/**
 * A payment provider. Every function returns the decision of the provider and throws only if the decision is unknown
 * (network error, timeout). The payment then stays `processing` until a retry with the same key has returned a result.
 * Never call it inside a transaction.
 */
export interface Gateway {
  authorize: (request: ChargeRequest) => Promise<GatewayAnswer>;
  /** Authorizes and captures in one call. */
  purchase: (request: ChargeRequest) => Promise<GatewayAnswer>;
  /** Captures `amount`, at most the amount authorized under `response_code`. */
  capture: (request: FollowUpRequest) => Promise<GatewayAnswer>;
  /**
   * Cancels what `scope` names; `amount` is the whole payment, which has no credits. Declines with `is_settled` once
   * the sale is settled.
   */
  void: (request: VoidRequest) => Promise<GatewayAnswer>;
  /** Refunds `amount`. The `response_code` of an approval is that of the refund; the payment keeps its own. */
  credit: (request: FollowUpRequest) => Promise<GatewayAnswer>;
  /**
   * Stores a card at the provider so that it can be charged without its number; null if the provider does not store it.
   */
  createProfile: (card: Card) => Promise<CardProfile | null>;
  /**
   * Tells how a request stands that waits, and finishes it if the buyer has done what was required. Repeatable, also at
   * the same time: money moves once.
   */
  confirm?: (request: WaitingRequest) => Promise<GatewayAnswer>;
  /**
   * Ends a charge that waits, so that it can no longer be approved. Approves one that was approved meanwhile, and still
   * waits if the provider cannot end it.
   */
  abandon?: (request: WaitingRequest) => Promise<GatewayAnswer>;
  /**
   * Reads an event of the provider; null for one that is about nothing the store keeps. Events may come twice, late and
   * in any order. @throws WrongSignature; any other error if it cannot be checked now, and must be sent again
   */
  readEvent?: (event: RawEvent) => Promise<GatewayEvent | null>;
  /** Lists the money that was moved in a period, in any order, for `store reconcile`. */
  listMovements?: (period: Period) => Promise<MovementList>;
}

/** Hosts by directive of a Content-Security-Policy. */
export type PageHosts = Readonly<Record<string, readonly string[]>>;

/** One entry of the registry. */
export interface GatewayDefinition {
  /** `gateway` needs a card, `check` does not. */
  method_type: 'gateway' | 'check';
  /** Its page script reads the cards, so a card number is refused: it must not pass through the store. */
  tokenizes?: true;
  /** The provider is asked whether an event is genuine, so wrong ones are limited. */
  checks_events_remotely?: true;
  /** The credentials that it needs, and those that pages of the shop may read. */
  credentials?: { required: readonly string[]; published?: readonly string[] };
  /** What its page script needs. */
  page_hosts?: PageHosts;
  /** Creates the gateway of one payment method from its stored preferences (credentials). Cheap, no network. */
  connect: (preferences: unknown) => Gateway;
}

/** A card that may be sent to a gateway. Only the fields of `StoredCard` may be stored, logged or returned. */
export interface Card extends StoredCard {
  /** Digits only. */
  number: string;
  verification_value: string;
}

export interface StoredCard {
  name: string;
  month: number;
  year: number;
  cc_type: string | null;
  last_digits: string;
}

import type { Amount, Currency } from '../../../platform/money';

/** What every request to a gateway carries. */
export interface BaseRequest {
  amount: Amount;
  currency: Currency;
  /**
   * The same for every attempt of one operation on one payment. A gateway must answer a repeated key with the outcome of the
   * first attempt and move no money again: that is how a payment interrupted by a crash is settled.
   */
  idempotency_key: string;
  order_number: string;
  payment_number: string;
}

/** The saved card a payment is made with; the gateway knows it by the profile ids it gave. Never the card's number. */
export interface GatewaySource {
  gateway_customer_profile_id: string | null;
  gateway_payment_profile_id: string | null;
}

/** authorize and purchase: a card, or null for methods that need none. */
export interface ChargeRequest extends BaseRequest {
  source: GatewaySource | null;
}

/** capture, void and credit: they refer to an earlier answer by its response code. */
export interface FollowUpRequest extends BaseRequest {
  source: GatewaySource | null;
  response_code: string | null;
}

/** Null codes: the gateway said nothing about it this time, so what an earlier answer said stays stored. */
export interface Approved {
  approved: true;
  /** The gateway's name for the transaction; follow-ups refer to it. */
  response_code: string | null;
  avs_response: string | null;
  cvv_response: string | null;
  message: string;
}

export interface Declined {
  approved: false;
  response_code: string | null;
  avs_response: string | null;
  cvv_response: string | null;
  /** Shown to the buyer as "There was a problem with the payment gateway: <message>". */
  message: string;
}

export type GatewayResult = Approved | Declined;

export interface CardProfile {
  gateway_customer_profile_id: string | null;
  gateway_payment_profile_id: string | null;
}

/**
 * A payment provider. Every function answers with the provider's decision and throws only when it is unknown (network,
 * timeout): the payment then stays `processing` until the same request, with the same key, has been answered.
 * Never called inside a transaction.
 */
export interface Gateway {
  authorize: (request: ChargeRequest) => Promise<GatewayResult>;
  /** Authorizes and captures in one. */
  purchase: (request: ChargeRequest) => Promise<GatewayResult>;
  /** Takes `amount`, at most what was authorized under `response_code`. */
  capture: (request: FollowUpRequest) => Promise<GatewayResult>;
  /** Calls an authorization or an uncredited capture off; `amount` is the whole payment. */
  void: (request: FollowUpRequest) => Promise<GatewayResult>;
  /** Gives `amount` back. */
  credit: (request: FollowUpRequest) => Promise<GatewayResult>;
  /** Keeps a card at the provider so that it can be charged without its number; null when the card cannot be kept. */
  createProfile: (card: Card) => Promise<CardProfile | null>;
}

/** One entry of the registry. */
export interface GatewayDefinition {
  /** `gateway` asks the buyer for a card, `check` asks for nothing. */
  method_type: 'gateway' | 'check';
  /** Makes the gateway for one payment method from its stored preferences (credentials). Cheap, no network. */
  connect: (preferences: unknown) => Gateway;
}

/** A card that may be sent to a gateway. Only the fields of `StoredCard` may ever be stored, logged or shown. */
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

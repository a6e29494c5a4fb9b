import { createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { subtract, ZERO } from '../../../platform/money';
import {
  capture,
  createAuthorization,
  credit,
  readCaptured,
  voidScope,
  type Authorization,
} from './bogus-books';
import { createProfile, isToken, PROFILE_PREFIX, readBehavior } from './bogus-cards';
import {
  decline,
  isWaiting,
  NO_CODES,
  WrongSignature,
  type Approved,
  type BaseRequest,
  type ChargeRequest,
  type Gateway,
  type GatewayAnswer,
  type GatewayDefinition,
  type GatewayEvent,
  type GatewayResult,
  type GatewaySource,
  type Movement,
  type Period,
  type RawEvent,
  type Waiting,
  type WaitingRequest,
} from './gateway';

const AUTHORIZATION = '12345';

function approve(avs_response: string | null): Approved {
  const message = 'Bogus Gateway: Forced success';
  return { approved: true, ...NO_CODES, response_code: AUTHORIZATION, avs_response, message };
}

const declined = decline('Bogus Gateway: Forced failure');

/** Declines what the contract of gateways forbids, for example a refund of more than was captured. */
function refuse(reason: string): GatewayResult {
  return decline(`Bogus Gateway: ${reason}`);
}

/** The page of the bank of the test cards. Nothing listens there: `confirm_action` stands for what the buyer does. */
const ACTION: Waiting = {
  waiting: true,
  response_code: AUTHORIZATION,
  requires_action: { redirect_url: 'https://bank.example/confirm' },
};
const PENDING: Waiting = { ...ACTION, requires_action: null };

/**
 * Approves cards with a profile, which accepted card numbers get when the card is stored. Confirms tokens unless they
 * are the saved card of another user; the token becomes the profile.
 */
function charge(source: GatewaySource | null, avs: string): GatewayResult {
  if (source === null) return declined;
  const { gateway_customer_profile_id: profile, gateway_payment_profile_id: token } = source;
  if (profile !== null) return profile.startsWith(PROFILE_PREFIX) ? approve(avs) : declined;
  if (token === null || !isToken(token) || source.is_saved_by_another_user) return declined;
  return { ...approve(avs), card: { gateway_customer_profile_id: token } };
}

/** How many authorizations and answers are remembered. */
const REMEMBERED = 20_000;

/** The signature of an event: HMAC-SHA256 of the body, in hexadecimal. */
export const BOGUS_SIGNATURE = 'x-bogus-signature';
/** The key of the signature unless the payment method has a `webhook_secret`. It protects no money. */
const DEFAULT_SECRET = 'bogus';

/** An event that the test gateway accepts. */
const BogusEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.enum(['payment.approved', 'payment.declined']),
  /** The number of the payment. */
  payment: z.string(),
});

/** Bounded by sizes, because space for a maximum of entries would be allocated at once. */
function createMemory<Value extends object>(): LRUCache<string, Value> {
  return new LRUCache({ maxSize: REMEMBERED, sizeCalculation: () => 1 });
}

/** What the gateway remembers, in memory. */
class Books {
  private readonly since = new Date();
  private readonly movements = createMemory<Movement>();
  /** Answers by idempotency key. */
  private readonly answers = createMemory<GatewayAnswer>();
  private readonly authorizations = createMemory<Authorization>();
  /** The charge of a payment that waits, by the number of the payment. */
  private readonly waiting = createMemory<ChargeRequest & { kind: 'authorize' | 'purchase' }>();

  /** Returns the first answer of a key without moving money again. */
  once(request: BaseRequest, decide: () => GatewayAnswer): GatewayAnswer {
    const answer = this.answers.get(request.idempotency_key) ?? decide();
    this.answers.set(request.idempotency_key, answer);
    return answer;
  }

  find({ authorization }: BaseRequest): Authorization | undefined {
    return this.authorizations.get(authorization);
  }

  /** Charges a card as its profile wants it. @throws Error if the answer is lost, which the first one is */
  charge(kind: 'authorize' | 'purchase', request: ChargeRequest): GatewayAnswer {
    const { source } = request;
    const profile = source?.gateway_customer_profile_id ?? source?.gateway_payment_profile_id ?? '';
    const behavior = readBehavior(profile);
    const isRepeated = this.answers.has(request.idempotency_key);
    const answer = this.once(request, () => {
      if (!charge(source, 'D').approved || behavior === 'approve' || behavior === 'timeout')
        return this.decide(kind, request);
      this.waiting.set(request.payment_number, { ...request, kind });
      return behavior === 'action' ? ACTION : PENDING;
    });
    if (behavior === 'timeout' && !isRepeated) throw new Error('timeout');
    return answer;
  }

  private decide(kind: 'authorize' | 'purchase', request: ChargeRequest): GatewayResult {
    const result = charge(request.source, kind === 'authorize' ? 'D' : 'M');
    if (!result.approved) return result;
    const authorization = createAuthorization(request.amount);
    if (kind === 'purchase') {
      capture(authorization, request);
      this.note('capture', request);
    }
    this.authorizations.set(request.authorization, authorization);
    return result;
  }

  /** Notes that money was moved. @returns null, which is no refusal */
  note(kind: 'capture' | 'refund', { idempotency_key, authorization, amount, currency }: BaseRequest): null {
    const moved = { kind, amount, currency, moved_at: new Date() };
    this.movements.set(idempotency_key, {
      ...moved,
      payment_number: authorization,
      reference: idempotency_key,
    });
    return null;
  }

  listMovements({ from, to }: Period): { movements: Movement[]; since: Date } {
    const all = [...this.movements.values()];
    const movements = all.filter(({ moved_at }) => moved_at >= from && moved_at < to);
    // What is forgotten is the oldest.
    const first = all.length < REMEMBERED ? undefined : all.at(-1)?.moved_at;
    return { movements, since: first ?? this.since };
  }

  /** Decides a charge that waits. @returns the decision, which may be an earlier one; null if it is unknown */
  settle(payment_number: string, approved: boolean): GatewayResult | null {
    const request = this.waiting.get(payment_number);
    if (request === undefined) return null;
    const answer = this.answers.get(request.idempotency_key);
    if (answer !== undefined && !isWaiting(answer)) return answer;
    const result = approved ? this.decide(request.kind, request) : declined;
    this.answers.set(request.idempotency_key, result);
    return result;
  }

  /** Returns the answer to a charge; a charge from before a restart waits. */
  recall(request: WaitingRequest): GatewayAnswer {
    const known = this.answers.get(request.idempotency_key);
    if (known !== undefined) return known;
    const { source, kind } = request;
    const isAction = readBehavior(source?.gateway_customer_profile_id ?? '') === 'action';
    if (kind === 'authorize' || kind === 'purchase') {
      this.waiting.set(request.payment_number, { ...request, kind });
    }
    return isAction ? ACTION : PENDING;
  }
}

/**
 * Creates a test gateway. It moves no money, so its sales never settle and can always be voided. It keeps books of the
 * authorizations that it has granted, in memory, and declines what their contract forbids. It approves requests about
 * authorizations that it does not know, for example from before a restart. Some cards need an action of the buyer, wait
 * for an event, or lose the answer after they were charged (`bogus-cards.ts`).
 */
export function createBogusGateway(): GatewayDefinition {
  const books = new Books();
  const follow = (request: BaseRequest, decide: () => string | null): Promise<GatewayAnswer> =>
    Promise.resolve(
      books.once(request, () => {
        const refusal = decide();
        return refusal === null ? approve(null) : refuse(refusal);
      }),
    );
  const bogus: Omit<Gateway, 'readEvent'> = {
    // Asynchronous, so that a lost answer is a rejection.
    authorize: async (request) => Promise.resolve(books.charge('authorize', request)),
    purchase: async (request) => Promise.resolve(books.charge('purchase', request)),
    capture: (request) =>
      request.response_code === AUTHORIZATION
        ? follow(request, () => capture(books.find(request), request) ?? books.note('capture', request))
        : Promise.resolve(books.once(request, () => declined)),
    void: (request) =>
      follow(request, () => {
        const before = readCaptured(books.find(request));
        const refusal = voidScope(books.find(request), request);
        const amount = subtract(before, readCaptured(books.find(request)));
        if (amount > ZERO) books.note('refund', { ...request, amount });
        return refusal;
      }),
    credit: (request) =>
      follow(request, () => credit(books.find(request), request) ?? books.note('refund', request)),
    createProfile: ({ number }) => {
      const profile = createProfile(number);
      const stored = { gateway_customer_profile_id: profile, gateway_payment_profile_id: null };
      return Promise.resolve(profile === null ? null : stored);
    },
    confirm: (request) => {
      const answer = books.recall(request);
      if (!isWaiting(answer) || answer.requires_action === null) return Promise.resolve(answer);
      return Promise.resolve(books.settle(request.payment_number, true) ?? answer);
    },
    abandon: (request) => {
      const answer = books.recall(request);
      return Promise.resolve(books.settle(request.payment_number, false) ?? answer);
    },
    listMovements: (period) => Promise.resolve(books.listMovements(period)),
  };
  return {
    method_type: 'gateway',
    connect: (preferences) => ({
      ...bogus,
      readEvent: (event) => Promise.resolve(readEvent(books, event, readSecret(preferences))),
    }),
  };
}

const Preferences = z.object({ webhook_secret: z.string().min(1).default(DEFAULT_SECRET) });

function readSecret(preferences: unknown): string {
  return Preferences.safeParse(preferences).data?.webhook_secret ?? DEFAULT_SECRET;
}

/** Signs an event of the test gateway. */
export function signBogusEvent(body: string, secret = DEFAULT_SECRET): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

function readEvent(books: Books, { body, header }: RawEvent, secret: string): GatewayEvent | null {
  const given = Buffer.from(header(BOGUS_SIGNATURE) ?? '');
  const signature = Buffer.from(signBogusEvent(body, secret));
  if (given.length !== signature.length || !timingSafeEqual(given, signature)) throw new WrongSignature();
  const { data: event } = BogusEvent.safeParse(JSON.parse(body));
  if (event === undefined) return null;
  const isApproved = event.type === 'payment.approved';
  const result = books.settle(event.payment, isApproved) ?? (isApproved ? approve('D') : declined);
  const { id, type, payment } = event;
  return { id, type, payment_number: payment, response_code: AUTHORIZATION, result };
}

export const bogusGateway: GatewayDefinition = createBogusGateway();

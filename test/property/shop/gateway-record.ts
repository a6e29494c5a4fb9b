import type {
  FollowUpRequest,
  Gateway,
  GatewayResult,
} from '../../../src/sales/payment-processing/gateways/gateway';
import {
  builtInGateways,
  type GatewayRegistry,
} from '../../../src/sales/payment-processing/gateways/registry';

/** What was approved for one payment, in cents; the model's own book of the money. */
interface Entry {
  taken: bigint;
  given_back: bigint;
  is_void: boolean;
}

export interface GatewayRecord {
  registry: GatewayRegistry;
  /** By payment number. */
  entries: Map<string, Entry>;
}

/** The built-in gateways, each move of money written down once for its key, as a provider would move it. */
export function recordingGateways(): GatewayRecord {
  const entries = new Map<string, Entry>();
  const answered = new Set<string>();
  const note =
    (
      ask: (request: FollowUpRequest) => Promise<GatewayResult>,
      move: (entry: Entry, amount: bigint) => void,
    ) =>
    async (request: FollowUpRequest): Promise<GatewayResult> => {
      const result = await ask(request);
      if (!result.approved || answered.has(request.idempotency_key)) return result;
      answered.add(request.idempotency_key);
      const entry = entries.get(request.payment_number) ?? { taken: 0n, given_back: 0n, is_void: false };
      entries.set(request.payment_number, entry);
      move(entry, request.amount);
      return result;
    };
  const recording = (gateway: Gateway): Gateway => ({
    ...gateway,
    // A charge carries all that is asked for here; what only follow-ups have is not looked at.
    purchase: (request) =>
      note(gateway.purchase, (entry, amount) => (entry.taken += amount))({ response_code: null, ...request }),
    capture: note(gateway.capture, (entry, amount) => (entry.taken += amount)),
    void: note(gateway.void, (entry) => (entry.is_void = true)),
    credit: note(gateway.credit, (entry, amount) => (entry.given_back += amount)),
  });
  const registry = Object.fromEntries(
    Object.entries(builtInGateways).map(([name, definition]) => [
      name,
      {
        ...definition,
        connect: (preferences: unknown) => recording(definition.connect(preferences)),
      },
    ]),
  );
  return { registry, entries };
}

/** What a payment has brought in, in cents. */
export function moneyTaken({ entries }: GatewayRecord, paymentNumber: string): bigint {
  const entry = entries.get(paymentNumber);
  return entry === undefined || entry.is_void ? 0n : entry.taken - entry.given_back;
}

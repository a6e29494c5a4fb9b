import {
  isWaiting,
  type BaseRequest,
  type Gateway,
  type GatewayAnswer,
} from '../../../src/sales/payment-processing/gateways/gateway';
import {
  builtInGateways,
  type GatewayRegistry,
} from '../../../src/sales/payment-processing/gateways/registry';

/** The approved amounts of one payment in cents, as recorded by the model. */
interface Entry {
  captured: bigint;
  credited: bigint;
  is_void: boolean;
}

export interface GatewayRecord {
  registry: GatewayRegistry;
  /** By payment number. */
  entries: Map<string, Entry>;
  /** Records the amount of an imported payment, which was captured elsewhere. */
  noteCaptured(paymentNumber: string, amount: bigint): void;
}

/** Returns the built-in gateways, and a record of the amounts they moved, each idempotency key counted once. */
export function createRecordingGateways(): GatewayRecord {
  const entries = new Map<string, Entry>();
  const recordedKeys = new Set<string>();
  const recordMoves =
    <Request extends BaseRequest>(
      call: (request: Request) => Promise<GatewayAnswer>,
      move: (entry: Entry, amount: bigint) => void,
    ) =>
    async (request: Request): Promise<GatewayAnswer> => {
      const result = await call(request);
      if (isWaiting(result) || !result.approved || recordedKeys.has(request.idempotency_key)) return result;
      recordedKeys.add(request.idempotency_key);
      const entry = entries.get(request.payment_number) ?? { captured: 0n, credited: 0n, is_void: false };
      entries.set(request.payment_number, entry);
      move(entry, request.amount);
      return result;
    };
  const wrapGateway = (gateway: Gateway): Gateway => ({
    ...gateway,
    purchase: recordMoves(gateway.purchase, (entry, amount) => (entry.captured += amount)),
    capture: recordMoves(gateway.capture, (entry, amount) => (entry.captured += amount)),
    void: recordMoves(gateway.void, (entry) => (entry.is_void = true)),
    credit: recordMoves(gateway.credit, (entry, amount) => (entry.credited += amount)),
  });
  const registry = Object.fromEntries(
    Object.entries(builtInGateways).map(([name, definition]) => [
      name,
      {
        ...definition,
        connect: (preferences: unknown) => wrapGateway(definition.connect(preferences)),
      },
    ]),
  );
  const noteCaptured = (paymentNumber: string, captured: bigint): void =>
    void entries.set(paymentNumber, { captured, credited: 0n, is_void: false });
  return { registry, entries, noteCaptured };
}

/** Returns the captured amount of a payment minus its credits, in cents; 0 if it is void. */
export function calculateCaptured({ entries }: GatewayRecord, paymentNumber: string): bigint {
  const entry = entries.get(paymentNumber);
  return entry === undefined || entry.is_void ? 0n : entry.captured - entry.credited;
}

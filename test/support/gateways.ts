import { setTimeout } from 'node:timers/promises';
import { builtInGateways, type GatewayRegistry } from '../../src/sales/payment-processing/gateways/registry';
import type {
  FollowUpRequest,
  Gateway,
  GatewayResult,
} from '../../src/sales/payment-processing/gateways/gateway';
import { bogusGateway } from '../../src/sales/payment-processing/gateways/bogus';

/** The test gateway with some of its functions exchanged. */
export function buildBogusGateway(functions: Partial<Gateway>): GatewayRegistry {
  return {
    ...builtInGateways,
    bogus: {
      ...bogusGateway,
      connect: (preferences) => ({ ...bogusGateway.connect(preferences), ...functions }),
    },
  };
}

/** The test gateway, taking that long over each of these questions, as gateways across the sea do. */
export function buildSlowGateway(milliseconds: number, kinds: readonly FollowUpKind[]): GatewayRegistry {
  const slow = (kind: FollowUpKind) => async (request: FollowUpRequest) => {
    await setTimeout(milliseconds);
    return bogusGateway.connect({})[kind](request);
  };
  return buildBogusGateway(Object.fromEntries(kinds.map((kind) => [kind, slow(kind)])));
}

type FollowUpKind = 'capture' | 'void' | 'credit';

/** What a gateway was asked to do, and what really came of it: a repeated key moves no money. */
export interface Ledger {
  requests: FollowUpRequest[];
  /** By idempotency key. */
  moved: Map<string, bigint>;
}

/** A gateway with a memory, as real ones have: it answers a repeated key as it did the first time. */
export function buildIdempotentGateway(): { gateways: GatewayRegistry; ledger: Ledger } {
  const ledger: Ledger = { requests: [], moved: new Map() };
  const approve = (request: FollowUpRequest): Promise<GatewayResult> => {
    ledger.requests.push(request);
    ledger.moved.set(request.idempotency_key, request.amount);
    return Promise.resolve({
      approved: true,
      response_code: '12345',
      avs_response: null,
      cvv_response: null,
      message: 'ok',
    });
  };
  const gateways = buildBogusGateway({ capture: approve, credit: approve, void: approve });
  return { gateways, ledger };
}

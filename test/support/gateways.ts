import { setTimeout } from 'node:timers/promises';
import { builtInGateways, type GatewayRegistry } from '../../src/sales/payment-processing/gateways/registry';
import type {
  FollowUpRequest,
  Gateway,
  GatewayResult,
  VoidRequest,
} from '../../src/sales/payment-processing/gateways/gateway';
import { bogusGateway, createBogusGateway } from '../../src/sales/payment-processing/gateways/bogus';

/** Builds a registry whose bogus gateway has some functions replaced. */
export function buildBogusGateway(functions: Partial<Gateway>): GatewayRegistry {
  return {
    ...builtInGateways,
    bogus: {
      ...bogusGateway,
      connect: (preferences) => ({ ...bogusGateway.connect(preferences), ...functions }),
    },
  };
}

/** Gateways without a memory of other tests, such as of those whose transactions were rolled back. */
export const buildGateways = (): GatewayRegistry => ({ ...builtInGateways, bogus: createBogusGateway() });

const failConnection = () => Promise.reject(new Error('socket hang up'));

/** A gateway that cannot be reached. */
export const UNREACHABLE: Partial<Gateway> = {
  authorize: failConnection,
  purchase: failConnection,
  capture: failConnection,
  void: failConnection,
  credit: failConnection,
};

/** Builds a registry whose bogus gateway delays these requests. */
export function buildSlowGateway(milliseconds: number, kinds: readonly FollowUpKind[]): GatewayRegistry {
  const slow = (kind: FollowUpKind) => async (request: VoidRequest) => {
    await setTimeout(milliseconds);
    return bogusGateway.connect({})[kind](request);
  };
  return buildBogusGateway(Object.fromEntries(kinds.map((kind) => [kind, slow(kind)])));
}

type FollowUpKind = 'capture' | 'void' | 'credit';

/** The requests to a gateway and the amounts it moved: a repeated key moves no money. */
export interface Ledger {
  requests: FollowUpRequest[];
  /** By idempotency key. */
  moved: Map<string, bigint>;
}

/** Builds a gateway that returns the same result for a repeated idempotency key, as real ones do. */
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

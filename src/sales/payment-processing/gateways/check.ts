import type { Gateway, GatewayDefinition, GatewayResult } from './gateway';

const accepted: GatewayResult = {
  approved: true,
  response_code: null,
  avs_response: null,
  cvv_response: null,
  message: 'Check: recorded',
};

/** Payments outside the system: staff record what happened to the check, and every call succeeds. */
const check: Gateway = {
  authorize: () => Promise.resolve(accepted),
  purchase: () => Promise.resolve(accepted),
  capture: () => Promise.resolve(accepted),
  void: () => Promise.resolve(accepted),
  credit: () => Promise.resolve(accepted),
  createProfile: () => Promise.resolve(null),
};

export const checkGateway: GatewayDefinition = { method_type: 'check', connect: () => check };

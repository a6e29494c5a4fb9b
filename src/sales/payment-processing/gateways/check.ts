import { NO_CODES, type Gateway, type GatewayDefinition, type GatewayResult } from './gateway';

const accepted: GatewayResult = { approved: true, ...NO_CODES, message: 'Check: recorded' };

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

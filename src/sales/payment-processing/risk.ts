import type { PaymentState } from '../order/payment.machine';

/** AVS codes that do not confirm the address. */
const RISKY_AVS_CODES: ReadonlySet<string> = new Set('ACEFGIKLNOPRSUWZ');
/** The only CVV code that confirms the verification value. */
const CVV_MATCH = 'M';

/** The state of a payment and its codes from the gateway; null or empty if there is none. */
export interface PaymentRiskFacts {
  state: PaymentState;
  avs_response: string | null;
  cvv_response: string | null;
}

/** Returns whether an order is `considered_risky` on completion: one risky payment is enough. Approval resets it. */
export function isRisky(payments: readonly PaymentRiskFacts[]): boolean {
  return payments.some(
    ({ state, avs_response, cvv_response }) =>
      state === 'failed' ||
      (avs_response !== null && RISKY_AVS_CODES.has(avs_response)) ||
      (cvv_response !== null && cvv_response !== '' && cvv_response !== CVV_MATCH),
  );
}

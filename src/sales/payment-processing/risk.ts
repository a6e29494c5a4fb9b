import type { PaymentState } from '../order/payment.machine';

/** AVS answers that do not confirm the address (behaviour 9.8). */
const RISKY_AVS_CODES: ReadonlySet<string> = new Set('ACEFGIKLNOPRSUWZ');
/** The only CVV answer that confirms the code. */
const CVV_MATCH = 'M';

/** What the gateway said about a payment; null or empty where it said nothing. */
export interface PaymentRiskFacts {
  state: PaymentState;
  avs_response: string | null;
  cvv_response: string | null;
}

/** Whether an order is `considered_risky` on completion: one doubtful payment is enough. Approving clears it. */
export function isRisky(payments: readonly PaymentRiskFacts[]): boolean {
  return payments.some(
    ({ state, avs_response, cvv_response }) =>
      state === 'failed' ||
      (avs_response !== null && RISKY_AVS_CODES.has(avs_response)) ||
      (cvv_response !== null && cvv_response !== '' && cvv_response !== CVV_MATCH),
  );
}

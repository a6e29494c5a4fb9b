import { recordCompletionResult } from '../checkout/take-step';
import { recordCancellationResult } from '../payment-processing/cancel-payments';
import { recordPaymentResult, type Recorders } from '../payment-processing/process-operation';

/** The recorders of all purposes, for the settling job and for payments that staff settle. */
export const recorders: Recorders = {
  payment: recordPaymentResult,
  cancel_order: recordCancellationResult,
  complete_order: recordCompletionResult,
};

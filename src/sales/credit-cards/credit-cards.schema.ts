import { z } from 'zod';
import { boolean } from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { CreditCardJson } from '../order-replies/payments.schema';

export const SavedCardJson = CreditCardJson.extend({
  default: z.boolean().describe('Whether checkouts without a card use it.'),
}).meta({ id: 'SavedCreditCard' });

export type SavedCardJson = z.output<typeof SavedCardJson>;

export const CreditCardUpdate = wrapped('credit_card', z.object({ default: boolean().optional }));

export type CreditCardChanges = z.output<typeof CreditCardUpdate>['credit_card'];

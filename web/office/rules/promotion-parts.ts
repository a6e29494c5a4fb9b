import type { CreatePromotionBody, Promotion } from 'store-api-client';
import { ACTIONS, type ActionType } from '../../../src/sales/order/action-types';

type Rules = NonNullable<CreatePromotionBody['promotion']['rules']>;
type Actions = NonNullable<CreatePromotionBody['promotion']['actions']>;

type RuleType = Promotion['rules'][number]['type'];

/** What the form of a promotion asks about its rules. */
export interface RuleForm {
  /** Empty without one. */
  amount_min: string;
  taxon_ids: number[];
  first_order: boolean;
  one_use_per_user: boolean;
}

/** What the form asks about what a promotion gives. */
export interface ActionForm {
  type: ActionType;
  percent: string;
  amount: string;
}

/**
 * Returns the changes of the rules. The form shows the first rule of four types: what it does not show, such as a
 * maximum, a currency or a rule of another type, stays as it is.
 */
export function changeRules(
  { amount_min, taxon_ids, first_order, one_use_per_user }: RuleForm,
  before: Promotion['rules'],
): Rules {
  const find = (type: RuleType) => before.find((rule) => rule.type === type);
  const change = (row: Rules[number] | null, type: RuleType): Rules => {
    const id = find(type)?.id;
    if (row === null) return id === undefined ? [] : [{ id, _destroy: true }];
    return [{ ...row, type, ...(id !== undefined && { id }) }];
  };
  const hasMaximum = find('item_total')?.amount_max != null;
  return [
    ...change(amount_min !== '' ? { amount_min } : hasMaximum ? { amount_min: null } : null, 'item_total'),
    ...change(taxon_ids.length > 0 ? { taxon_ids } : null, 'taxon'),
    ...change(first_order ? {} : null, 'first_order'),
    ...change(one_use_per_user ? {} : null, 'one_use_per_user'),
  ];
}

/** Returns the changes of the actions. The form shows the first one; others stay, as does the currency of an amount. */
export function changeActions({ type, percent, amount }: ActionForm, [first]: Promotion['actions']): Actions {
  const { parameter } = ACTIONS[type];
  const row = {
    type,
    ...(parameter === 'percent' && { percent }),
    ...(parameter === 'amount' && { amount }),
  };
  if (first === undefined) return [row];
  return first.type === type ? [{ ...row, id: first.id }] : [{ id: first.id, _destroy: true }, row];
}

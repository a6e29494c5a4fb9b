/** What a type of promotion action discounts, and by which parameter. */
interface ActionTerms {
  discounts: 'order' | 'line' | 'shipment';
  /** Null: by the whole amount. */
  parameter: 'percent' | 'amount' | null;
}

/** The types of promotion actions. */
export const ACTIONS = {
  order_percent: { discounts: 'order', parameter: 'percent' },
  order_amount: { discounts: 'order', parameter: 'amount' },
  line_percent: { discounts: 'line', parameter: 'percent' },
  line_amount: { discounts: 'line', parameter: 'amount' },
  free_shipping: { discounts: 'shipment', parameter: null },
} as const satisfies Record<string, ActionTerms>;

export type ActionType = keyof typeof ACTIONS;

// Object.keys loses the type of the keys.
export const ACTION_TYPES = Object.keys(ACTIONS) as ActionType[];

/** Returns the types with these terms. */
export function listActionTypes(terms: Partial<ActionTerms>): ActionType[] {
  const { discounts, parameter } = terms;
  return ACTION_TYPES.filter(
    (type) =>
      (discounts === undefined || ACTIONS[type].discounts === discounts) &&
      (parameter === undefined || ACTIONS[type].parameter === parameter),
  );
}

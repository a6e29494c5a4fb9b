/** What a type of promotion action discounts, and by which parameter. */
interface ActionTerms {
  /** Names the discount, for staff and in the reference. */
  title: string;
  discounts: 'order' | 'line' | 'shipment';
  /** Null: by the whole amount. */
  parameter: 'percent' | 'amount' | null;
}

/** The types of promotion actions. The back office is built with them, so this file imports nothing. */
export const ACTIONS = {
  order_percent: { title: 'A percentage off the order', discounts: 'order', parameter: 'percent' },
  order_amount: { title: 'An amount off the order', discounts: 'order', parameter: 'amount' },
  line_percent: { title: 'A percentage off each item', discounts: 'line', parameter: 'percent' },
  line_amount: { title: 'An amount off each item', discounts: 'line', parameter: 'amount' },
  free_shipping: { title: 'Free shipping', discounts: 'shipment', parameter: null },
} as const satisfies Record<string, ActionTerms>;

export type ActionType = keyof typeof ACTIONS;

// Object.keys loses the type of the keys.
export const ACTION_TYPES = Object.keys(ACTIONS) as ActionType[];

/** Returns the types with these terms. */
export function listActionTypes(terms: Partial<Pick<ActionTerms, 'discounts' | 'parameter'>>): ActionType[] {
  const { discounts, parameter } = terms;
  return ACTION_TYPES.filter(
    (type) =>
      (discounts === undefined || ACTIONS[type].discounts === discounts) &&
      (parameter === undefined || ACTIONS[type].parameter === parameter),
  );
}

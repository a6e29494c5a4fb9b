/** Orders of the demo store by their state. Their numbers are always the same (seeds/demo/orders/stories.ts). */
export const ORDER = {
  cart: 'R592245669',
  address: 'R106664068',
  delivery: 'R579831110',
  payment: 'R666288986',
  confirm: 'R919769566',
  unpaid: 'R842799866',
  authorized: 'R196244566',
  risky: 'R878669336',
  canceled: 'R402583765',
  shipped: 'R268286187',
  awaiting_return: 'R933696692',
  another_cart: 'R147780117',
  another_awaiting_return: 'R513009135',
} as const;

export const inCart = { number: ORDER.cart };

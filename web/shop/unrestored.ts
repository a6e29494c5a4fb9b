/**
 * The attribute of fields in pages of the server. Firefox gives a field without it the value of before when the page is loaded again, after
 * the script of the page has begun: it would show another variant than the one that is put into the cart.
 */
export const UNRESTORED = { autocomplete: 'off' } as const;

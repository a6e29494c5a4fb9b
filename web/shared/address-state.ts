import type { Address } from 'store-api-client';

/** Returns a state as documents write it: its abbreviation, or its name where that is a number, as in Japan and France. */
export const stateOf = ({ state, state_text }: Pick<Address, 'state' | 'state_text'>): string =>
  (/\d/.test(state_text ?? '') ? state?.name : null) ?? state_text ?? '';

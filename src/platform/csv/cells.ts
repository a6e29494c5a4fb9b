import { z } from 'zod';
import { INVALID } from '../errors';
import { isCurrency } from '../money';

/** The code of a currency, in any case. */
export const currencyCode = z.preprocess(
  (raw, context) => {
    if (raw === undefined || raw === null || raw === '') return undefined;
    const code = typeof raw === 'string' ? raw.trim().toUpperCase() : '';
    if (isCurrency(code)) return code;
    context.addIssue({ code: 'custom', message: INVALID });
    return z.NEVER;
  },
  z
    .string()
    .optional()
    .meta({ examples: ['USD'] }),
);

const TRUE = new Set(['true', 't', '1', 'yes', 'y', 'on']);
const FALSE = new Set(['false', 'f', '0', 'no', 'n', 'off']);

/** A cell that says true or false; blank says neither. Unlike in JSON bodies, other text is an error. */
export const flagCell = z.preprocess((raw, context) => {
  const text = typeof raw === 'string' ? raw.trim().toLowerCase() : '';
  if (text === '') return undefined;
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  context.addIssue({ code: 'custom', message: 'must be true or false' });
  return z.NEVER;
}, z.boolean().optional());

import type { z } from 'zod';
import { INVALID, type FieldErrors } from '../errors';

/**
 * Converts the issues of zod to field errors with dotted keys, without list indexes, the wrapper and the suffix
 * `_attributes` (`order.bill_address_attributes.firstname` becomes `bill_address.firstname`).
 */
export function toFieldErrors(issues: readonly z.core.$ZodIssue[], wrapper: string | undefined): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const names = issue.path.map(String).filter((name) => !/^\d+$/.test(name));
    const inside = names[0] === wrapper && names.length > 1 ? names.slice(1) : names;
    const key = inside.map((name) => name.replace(/_attributes$/, '')).join('.') || 'base';
    const messages = (errors[key] ??= []);
    const message = issue.code === 'custom' ? issue.message : INVALID;
    if (!messages.includes(message)) messages.push(message);
  }
  return errors;
}

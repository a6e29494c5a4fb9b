import { isIP } from 'node:net';
import { z } from 'zod';
import { parseHosts } from './database/hosts';

/** The schema of a number in a variable of the environment. */
export const wholeNumber = (min: number, max: number, defaultValue: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)
    .default(defaultValue)
    .describe(`a whole number from ${min} to ${max}`);

/** Returns whether the value is a URL of PostgreSQL with one or several hosts. */
export const isDatabaseUrl = (value: string): boolean => parseHosts(value) !== null;

/** Returns whether the value is an origin of web pages. */
export const isOrigin = (value: string): boolean => URL.canParse(value) && new URL(value).origin === value;

/** Returns whether the value is an address, a subnet, or one of Express's names for private networks. */
export const isNetwork = (value: string): boolean => {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true;
  const [address = '', prefix] = value.split('/', 2);
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : 0;
  return bits > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
};

/** Returns the parts of a comma-separated list. */
export const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

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

const trueOrFalse = () => z.enum(['true', 'false']).transform((value) => value === 'true');

export const flag = () => trueOrFalse().default(false).describe('true or false');

export const optionalFlag = () => trueOrFalse().optional().describe('true or false');

/** The schema of a URL of PostgreSQL with one or several hosts. */
export const databaseUrl = () =>
  z
    .string()
    .refine((value) => parseHosts(value) !== null)
    .optional()
    .describe('a URL like postgres://user:password@host:5432/database');

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

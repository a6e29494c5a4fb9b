import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './accounts/passwords';
import { StartupError } from './platform/startup-error';

/** A setting has a value that cannot be used; the message names every such setting. */
export class ConfigError extends StartupError {}

const wholeNumber = (min: number, max: number, unset: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)
    .default(unset)
    .describe(`a whole number from ${min} to ${max}`);

const isDatabaseUrl = (value: string): boolean =>
  /^postgres(ql)?:\/\//.test(value) && URL.canParse(value) && new URL(value).pathname.length > 1;

const isOrigin = (value: string): boolean => URL.canParse(value) && new URL(value).origin === value;

/** An address, a subnet, or one of the names Express has for the private ones. */
const isNetwork = (value: string): boolean => {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true;
  const [address = '', prefix] = value.split('/', 2);
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : 0;
  return bits > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
};

const commaList = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/**
 * Every environment variable the program knows. The descriptions complete the sentence "NAME must be …" and are
 * written so that no message has to repeat a value, which may be a secret.
 */
export const EnvironmentSchema = z.object({
  /** TCP port of the API. 0 lets the system choose a free one. */
  PORT: wholeNumber(0, 65_535, 3000),
  /** Address to listen on; 0.0.0.0 or :: to be reachable from other machines. */
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/)
    .default('127.0.0.1')
    .describe('a host name or an IP address'),
  /** The PostgreSQL to use. Unset: an embedded one that keeps its files in DATA_DIR. */
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl)
    .optional()
    .describe('a URL like postgres://user:password@host:5432/database'),
  /** Folder of the embedded database and of uploaded images; made when missing. */
  DATA_DIR: z.string().default('./.data').describe('a folder'),
  /** E-mail of the administrator who is ensured at every start. */
  ADMIN_EMAIL: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/)
    .max(255)
    .default('admin@example.com')
    .describe('an e-mail address'),
  /** Password of that administrator. Unset: generated and printed once, when the account is made. */
  ADMIN_PASSWORD: z
    .string()
    .min(SHORTEST_PASSWORD)
    .max(LONGEST_PASSWORD)
    .optional()
    .describe(`${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters long`),
  /** API token of that administrator. Unset: generated and printed once, when the account has none. */
  ADMIN_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .describe('1 to 255 printable ASCII characters without spaces'),
  /** What the tokens of orders are derived from. Unset: random, made at the first start and kept in DATA_DIR. */
  SECRET_KEY: z.string().min(16).max(255).optional().describe('16 to 255 characters long'),
  /** What an empty store is filled with. Unset: demo with the embedded database, reference with DATABASE_URL. */
  SEED: z.enum(['demo', 'reference', 'none']).optional().describe('demo, reference or none'),
  /** Least important level that is logged. */
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
  /** auto is pretty in a terminal and JSON elsewhere. */
  LOG_FORMAT: z.enum(['auto', 'json', 'pretty']).default('auto').describe('auto, json or pretty'),
  /** Origins whose pages may call the API from a browser: * for all, or a comma-separated list. */
  CORS_ORIGINS: z
    .string()
    .refine((value) => value === '*' || (commaList(value).length > 0 && commaList(value).every(isOrigin)))
    .transform(commaList)
    .default(['*'])
    .describe('* or a comma-separated list of origins like https://shop.example'),
  /** Whose X-Forwarded-For is believed: a number of proxies in front, or a comma-separated list of their addresses. */
  TRUST_PROXY: z
    .string()
    .refine(
      (value) =>
        /^\d{1,2}$/.test(value) || (commaList(value).length > 0 && commaList(value).every(isNetwork)),
    )
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : commaList(value)))
    .default(0)
    .describe('a number of proxies, or a comma-separated list of addresses or subnets'),
  /** Connections to the database this process may hold. */
  DATABASE_POOL_SIZE: wholeNumber(2, 200, 10),
  /** Requests worked on at once; those beyond are answered 503 at once. */
  MAX_IN_FLIGHT: wholeNumber(1, 100_000, 256),
  /** Days after which a cart that nobody touches is deleted. */
  CART_MAX_AGE_DAYS: wholeNumber(1, 36_500, 90),
});

export type SeedMode = 'demo' | 'reference' | 'none';

/** The settings of one process; frozen. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** null: use the embedded database. Holds a password: never log it. */
  readonly databaseUrl: string | null;
  /** Absolute. */
  readonly dataDir: string;
  /** Secrets are null where they are to be generated. */
  readonly admin: Readonly<{ email: string; password: string | null; token: string | null }>;
  /** null: the one kept in dataDir. */
  readonly secretKey: string | null;
  readonly seed: SeedMode;
  readonly logLevel: z.output<typeof EnvironmentSchema>['LOG_LEVEL'];
  readonly logFormat: z.output<typeof EnvironmentSchema>['LOG_FORMAT'];
  /** ['*'] for all. */
  readonly corsOrigins: readonly string[];
  readonly trustProxy: number | readonly string[];
  readonly databasePoolSize: number;
  readonly maxInFlight: number;
  readonly cartMaxAgeDays: number;
}

/**
 * Reads the settings; a variable set to nothing counts as unset. The only reader of the environment.
 * @throws ConfigError naming every bad setting and what it must be, in one line, without its value.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = EnvironmentSchema.safeParse(given);
  if (!parsed.success) throw new ConfigError(describeProblems(parsed.error));
  const settings = parsed.data;
  return Object.freeze({
    port: settings.PORT,
    host: settings.HOST,
    databaseUrl: settings.DATABASE_URL ?? null,
    dataDir: path.resolve(settings.DATA_DIR),
    admin: Object.freeze({
      email: settings.ADMIN_EMAIL,
      password: settings.ADMIN_PASSWORD ?? null,
      token: settings.ADMIN_TOKEN ?? null,
    }),
    secretKey: settings.SECRET_KEY ?? null,
    seed: settings.SEED ?? (settings.DATABASE_URL === undefined ? 'demo' : 'reference'),
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    maxInFlight: settings.MAX_IN_FLIGHT,
    cartMaxAgeDays: settings.CART_MAX_AGE_DAYS,
  });
}

/** Where uploaded files are kept: beside the embedded database, if there is one. */
export function filesFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'files');
}

/** Not a setting of the store: what `store user create` is told by. */
export const NEW_USER_PASSWORD = 'NEW_USER_PASSWORD';

/** The password that the environment names for a user about to be made; null when it names none. */
export function passwordOfNewUser(env: NodeJS.ProcessEnv = process.env): string | null {
  const password = env[NEW_USER_PASSWORD] ?? '';
  return password === '' ? null : password;
}

function describeProblems(error: z.ZodError): string {
  const shape: Record<string, z.ZodType> = EnvironmentSchema.shape;
  const names = [...new Set(error.issues.map((issue) => String(issue.path[0])))];
  return names.map((name) => `${name} must be ${shape[name]?.description ?? 'valid'}`).join('; ');
}

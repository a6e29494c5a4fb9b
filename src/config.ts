import { readFileSync } from 'node:fs';
import path from 'node:path';
import { distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { EnvironmentSchema, SECRET_SETTINGS } from './environment';
import { readErrorCode } from './platform/error-code';
import { StartupError } from './platform/startup-error';

/** A setting is invalid; the message names every invalid setting. */
export class ConfigError extends StartupError {}

/** The settings of one process; frozen. */
export type Config = ReturnType<typeof readSettings>;

export type SeedMode = Config['seed'];

/**
 * Loads the settings from the environment; an empty variable counts as unset. No other code reads settings (lint).
 * @throws ConfigError with one line that names every invalid setting and what it must be, without its value
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = EnvironmentSchema.safeParse(readFiles(selectGiven(env)));
  if (!parsed.success) throw new ConfigError(describeProblems(parsed.error));
  if (parsed.data.DATABASE_DIRECT_URL !== undefined && parsed.data.DATABASE_URL === undefined)
    throw new ConfigError('DATABASE_DIRECT_URL must be unset if DATABASE_URL is unset');
  return readSettings(parsed.data);
}

/** Returns the variables that have a value. */
function selectGiven(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  );
}

/** Replaces each NAME_FILE by NAME, with the contents of the file. @throws ConfigError */
function readFiles(given: Record<string, string>): Record<string, string> {
  const values = { ...given };
  for (const name of SECRET_SETTINGS) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (given[name] !== undefined) throw new ConfigError(`${name}_FILE must be unset if ${name} is set`);
    try {
      values[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      throw new ConfigError(`${name}_FILE must be a readable file (${readErrorCode(error) ?? 'unknown'})`);
    }
  }
  return values;
}

/** What the environment says about the settings. */
export interface EnvironmentFacts {
  /** The settings that are set, by a variable or by a file. */
  given: readonly string[];
  /** Variables that are no settings, and the setting that each probably means. */
  similar: readonly { name: string; setting: string }[];
}

/** Lists which settings are set, without their values, and variables that look like misspelled ones. */
export function examineEnvironment(env: NodeJS.ProcessEnv): EnvironmentFacts {
  const settings = Object.keys(EnvironmentSchema.shape);
  const variables = [...settings, ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];
  const given = Object.keys(selectGiven(env));
  return {
    given: settings.filter((name) => given.includes(name) || given.includes(`${name}_FILE`)),
    similar: given.flatMap((name) => {
      const setting = variables.includes(name) ? undefined : findMisspelled(name, variables);
      return setting === undefined ? [] : [{ name, setting }];
    }),
  };
}

/** Short names differ from other variables by few letters, such as HOST from HOME. */
function findMisspelled(name: string, variables: readonly string[]): string | undefined {
  return variables.find(
    (setting) =>
      setting.length >= MISSPELLED_LENGTH && distance(name.toUpperCase(), setting) <= MISSPELLED_BY,
  );
}

const MISSPELLED_LENGTH = 8;
const MISSPELLED_BY = 2;

/** Names the settings as the program does. What they mean is in environment.ts; null stands for none. */
function readSettings(settings: z.output<typeof EnvironmentSchema>) {
  const seed = settings.SEED ?? (settings.DATABASE_URL === undefined ? 'demo' : 'reference');
  return Object.freeze({
    port: settings.PORT,
    host: settings.HOST,
    /** Null for the embedded database. Contains a password, like all URLs; never log it. */
    databaseUrl: settings.DATABASE_URL ?? null,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? null,
    databaseReplicaUrl: settings.DATABASE_REPLICA_URL ?? null,
    isReadOnly: settings.READ_ONLY,
    workers: settings.WORKERS,
    /** Whether this process does the work in the background. */
    hasInlineWorker: settings.WORKER === 'inline',
    /** Absolute. */
    dataDir: path.resolve(settings.DATA_DIR),
    /** Secrets are null if they must be generated. */
    admin: Object.freeze({
      email: settings.ADMIN_EMAIL,
      password: settings.ADMIN_PASSWORD ?? null,
      token: settings.ADMIN_TOKEN ?? null,
    }),
    /** Null for the key stored in dataDir. */
    secretKey: settings.SECRET_KEY ?? null,
    /** The former SECRET_KEY, while it is being changed. */
    secretKeyPrevious: settings.SECRET_KEY_PREVIOUS ?? null,
    seed,
    hasStorefront: settings.STOREFRONT ?? seed === 'demo',
    hasOffice: settings.OFFICE ?? seed === 'demo',
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    hasFastCarts: settings.CART_COMMITS === 'fast',
    maxInFlight: settings.MAX_IN_FLIGHT,
    shutdownDelayMs: settings.SHUTDOWN_DELAY_MS,
    slowStatementMs: settings.SLOW_STATEMENT_MS,
    catalogMaxAge: settings.CATALOG_MAX_AGE,
    catalogStaleSeconds: settings.CATALOG_STALE_SECONDS,
    cartMaxAgeDays: settings.CART_MAX_AGE_DAYS,
    /** Without a slash at its end; null if unknown. */
    publicUrl: settings.PUBLIC_URL ?? null,
    /** Null for a folder of dataDir. Contains a secret; never log it. */
    storage: settings.STORAGE_URL ?? null,
    /** Null for files in dataDir. Contains a password; never log it. */
    mailUrl: settings.MAIL_URL ?? null,
    tracesUrl: settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    metricsToken: settings.METRICS_TOKEN ?? null,
    allowsPrivateWebhooks: settings.WEBHOOK_ALLOW_PRIVATE,
    rateLimitScale: settings.RATE_LIMIT_SCALE,
  });
}

/** Returns the folder of files, unless they are in a bucket. */
export function buildFilesPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'files');
}

/** Returns the folder of mails. */
export function buildMailPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'mail');
}

/** The variable with the password for `store user create`; not a setting of the store. */
export const NEW_USER_PASSWORD = 'NEW_USER_PASSWORD';

/** Reads the password for a new user from the environment; null if unset. */
export function readNewUserPassword(env: NodeJS.ProcessEnv = process.env): string | null {
  const password = env[NEW_USER_PASSWORD] ?? '';
  return password === '' ? null : password;
}

function describeProblems(error: z.ZodError): string {
  const shape: Record<string, z.ZodType> = EnvironmentSchema.shape;
  const names = [...new Set(error.issues.map((issue) => String(issue.path[0])))];
  return names.map((name) => `${name} must be ${shape[name]?.description ?? 'valid'}`).join('; ');
}

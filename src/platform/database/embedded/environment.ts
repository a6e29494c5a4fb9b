/** What PostgreSQL and the programs that switch its user need of the environment, beside `LC_*`. */
const NEEDED: ReadonlySet<string> = new Set([
  ...(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TMPDIR', 'TMP', 'TEMP'] as const),
  ...(['LD_LIBRARY_PATH', 'LD_PRELOAD', 'DYLD_LIBRARY_PATH', 'SystemRoot'] as const),
]);

/**
 * Returns the environment of the programs of PostgreSQL: what they need and nothing else. Who may run code in the database, or
 * read the environment of its processes, must not find the secrets of the store there, such as `ADMIN_PASSWORD`.
 */
export function buildServerEnvironment(): NodeJS.ProcessEnv {
  const needed = Object.entries(process.env).filter(([name]) => NEEDED.has(name) || name.startsWith('LC_'));
  return { ...Object.fromEntries(needed), TZ: 'UTC' };
}

/** Where ignored parameters are reported. */
export type Warn = (message: string) => void;

/** Returns whether the program runs in development: not in production (Node.js), or in a page of this machine. */
function isDevelopment(): boolean {
  const { process, location } = globalThis as {
    process?: { env?: Record<string, string | undefined> };
    location?: { hostname?: string };
  };
  if (process?.env !== undefined) return process.env['NODE_ENV'] !== 'production';
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location?.hostname ?? '');
}

/** Returns the function that reports, by default to the console in development only. */
export function chooseWarn(warn: Warn | false | undefined): Warn | null {
  if (warn === false) return null;
  // Looked up at each call, because tests replace it.
  return warn ?? (isDevelopment() ? (message) => console.warn(message) : null);
}

/** Builds a function that reports what the store ignored of a request; the same names of a path once. */
export function createIgnoredReport(warn: Warn): (request: Request, response: Response) => void {
  const reported = new Set<string>();
  return (request, { headers }) => {
    const { pathname, searchParams } = new URL(request.url);
    // `each` begins every list as a feed.
    const isTried = (name: string) => name === 'cursor' && searchParams.get('cursor') === '';
    const names = [
      ...split(headers.get('X-Ignored-Parameters')).filter((name) => !isTried(name)),
      ...split(headers.get('X-Ignored-Conditions')).map((name) => `q.${name}`),
    ];
    if (names.length === 0) return;
    const hint = headers.get('X-Error-Hint');
    const message = `${request.method} ${pathname}: the store ignored ${names.join(', ')}.${hint === null ? '' : ` ${hint}`}`;
    if (reported.has(message)) return;
    reported.add(message);
    warn(message);
  };
}

function split(header: string | null): string[] {
  return (header ?? '').split(/,\s*/).filter((name) => name !== '');
}

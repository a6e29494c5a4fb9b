import type { Config } from '../../config';
import { isError, readErrorCode } from '../../platform/error-code';
import type { LinkFacts } from './facts';

const TIMEOUT_MS = 5_000;

/** Sends a request to each address of the settings that is not examined elsewhere. */
export async function examineLinks({
  publicUrl,
  tracesUrl,
}: Pick<Config, 'publicUrl' | 'tracesUrl'>): Promise<LinkFacts> {
  return {
    publicUrl: publicUrl === null ? null : { url: publicUrl, leadsToStore: await isStore(publicUrl) },
    collector:
      tracesUrl === null
        ? null
        : { host: new URL(tracesUrl).host, errorCode: await findErrorCode(tracesUrl) },
  };
}

async function isStore(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { status } = (await reply.json()) as { status?: unknown }; // untrusted JSON: only a known value is used
    return status === 'live';
  } catch {
    return false;
  }
}

/** Returns null if something answers, whatever it is: collectors differ in what they answer to a GET. */
async function findErrorCode(url: string): Promise<string | null> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return null;
  } catch (error) {
    return readErrorCode(isError(error) ? error.cause : null) ?? 'no answer';
  }
}

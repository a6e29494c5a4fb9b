import { createStoreClient, StoreError, type StoreClient } from 'store-api-client';
import { keep } from '../shared/kept';
import { saveFile } from '../shared/save-file';

/** The signed-in member of staff. */
export interface SignIn {
  token: string;
  email: string;
}

export const keptSignIn = keep<SignIn | null>('office.sign-in', null);

/** The page of the own account. */
const ACCOUNT = '/admin/account';

/** The API in the name of the member of staff. A session that has ended leads back to the sign-in. */
export const store: StoreClient = createStoreClient({
  baseUrl: location.origin,
  token: () => keptSignIn.get()?.token,
  warn: false,
  fetch: async (request) => {
    const response = await fetch(request);
    const code = response.headers.get('X-Error-Code');
    if (code === 'invalid_api_key') keptSignIn.set(null);
    // The store admits nothing else before it is set up.
    if (code === 'two_factor_setup_required' && location.pathname !== ACCOUNT) location.assign(ACCOUNT);
    return response;
  },
});

/**
 * Sends a request whose body or reply is a file, for which the typed client has no type.
 * @throws StoreError on an error response
 */
export async function send(method: string, path: string, body: FormData | null): Promise<Response> {
  const response = await fetch(`${location.origin}${path}`, {
    method,
    body,
    headers: {
      'X-Store-Token': keptSignIn.get()?.token ?? '',
      ...(method !== 'GET' && { 'Idempotency-Key': crypto.randomUUID() }),
    },
  });
  if (!response.ok) throw new StoreError(response, await response.json().catch(() => null));
  return response;
}

/** Downloads a file of the API. @throws StoreError on an error response */
export async function download(path: string, name: string): Promise<void> {
  await saveFile(await send('GET', path, null), name);
}

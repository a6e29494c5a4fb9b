import { createKey, createStoreClient, StoreError, type StoreClient } from 'store-api-client';
import { keep } from '../shared/kept';
import { saveFile } from '../shared/save-file';

/** The signed-in member of staff. */
export interface SignIn {
  /** Null when the session has ended: the page stays as it is, and asks for the password. */
  token: string | null;
  user_id: number;
}

export const keptSignIn = keep<SignIn | null>('office.sign-in', null);

/** The page of the own account. */
const ACCOUNT = '/admin/account';

/** The API for whoever is not signed in. */
export const entrance: StoreClient = createStoreClient({ baseUrl: location.origin, warn: false });

/** The API in the name of the member of staff. */
export const store: StoreClient = createStoreClient({
  baseUrl: location.origin,
  warn: false,
  fetch: async (request) => {
    const response = await fetchAsStaff(request);
    // The store admits nothing else before it is set up.
    if (
      response.headers.get('X-Error-Code') === 'two_factor_setup_required' &&
      location.pathname !== ACCOUNT
    ) {
      location.assign(ACCOUNT);
    }
    return response;
  },
});

/**
 * Sends a request in the name of the member of staff. If their session has ended, which has refused the request, it waits
 * until they have signed in again and is sent again. Without a sign-in, or for another member of staff, it is sent as a guest's.
 */
async function fetchAsStaff(request: Request): Promise<Response> {
  const userId = keptSignIn.get()?.user_id;
  for (;;) {
    const signIn = await keptSignIn.until((one) => one?.token !== null);
    if (signIn === null || signIn.token === null || signIn.user_id !== userId) return fetch(request);
    const sent = request.clone();
    sent.headers.set('X-Store-Token', signIn.token);
    const response = await fetch(sent);
    if (response.headers.get('X-Error-Code') !== 'invalid_api_key') return response;
    if (keptSignIn.get()?.token === signIn.token) keptSignIn.set({ ...signIn, token: null });
  }
}

/**
 * Sends a request whose body or reply is a file, for which the typed client has no type.
 * @throws StoreError on an error response
 */
export async function send(method: string, path: string, body: FormData | null): Promise<Response> {
  const headers = method === 'GET' ? {} : { 'Idempotency-Key': createKey() };
  const response = await fetchAsStaff(new Request(`${location.origin}${path}`, { method, body, headers }));
  if (!response.ok) throw new StoreError(response, await response.json().catch(() => null));
  return response;
}

/** Downloads a file of the API. @throws StoreError on an error response */
export async function download(path: string, name: string): Promise<void> {
  await saveFile(await send('GET', path, null), name);
}

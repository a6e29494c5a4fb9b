import { createStoreClient, StoreError, type StoreClient } from 'store-api-client';
import { keep } from '../shared/kept';
import { saveFile } from '../shared/save-file';

/** The signed-in member of staff. */
export interface SignIn {
  token: string;
  email: string;
}

export const keptSignIn = keep<SignIn | null>('office.sign-in', null);

/** The API in the name of the member of staff. A session that has ended leads back to the sign-in. */
export const store: StoreClient = createStoreClient({
  baseUrl: location.origin,
  token: () => keptSignIn.get()?.token,
  warn: false,
  fetch: async (request) => {
    const response = await fetch(request);
    if (response.headers.get('X-Error-Code') === 'invalid_api_key') keptSignIn.set(null);
    return response;
  },
});

/**
 * Downloads a file of the API.
 * @throws StoreError on an error response
 */
export async function download(path: string, name: string): Promise<void> {
  const response = await fetch(`${location.origin}${path}`, {
    headers: { 'X-Store-Token': keptSignIn.get()?.token ?? '' },
  });
  if (!response.ok) throw new StoreError(response, await response.json().catch(() => null));
  await saveFile(response, name);
}

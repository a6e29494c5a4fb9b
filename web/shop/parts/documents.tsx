import { useMutation } from '@tanstack/preact-query';
import { StoreError, type Document } from 'store-api-client';
import { describeError } from '../../shared/messages';
import { saveFile } from '../../shared/save-file';
import { keptSignIn, tokenOf, useShop } from '../shop';
import { describeDocument } from '../words';

/** The invoice of an order, its corrections and credit notes. A token goes in a header, so links would not do. */
export function Documents({ number, documents }: { number: string; documents: readonly Document[] }) {
  const shop = useShop();
  const download = useMutation({
    mutationFn: async (document: { number: string; url: string }) => {
      const [orderToken, token] = [tokenOf(number), keptSignIn.get()?.token];
      const response = await fetch(shop.baseUrl + document.url, {
        headers: {
          ...(orderToken !== null && { 'X-Order-Token': orderToken }),
          ...(token !== undefined && { 'X-Store-Token': token }),
        },
      });
      if (!response.ok) throw new StoreError(response, await response.json().catch(() => null));
      await saveFile(response, `${document.number}.pdf`);
    },
  });
  const listed = documents.flatMap(({ kind, number: name, url }) =>
    url === null ? [] : [{ kind, number: name, url }],
  );
  if (listed.length === 0) return null;
  return (
    <>
      <h2>Documents</h2>
      <ul class="documents">
        {listed.map((document) => (
          <li key={document.number}>
            <button
              type="button"
              class="link"
              disabled={download.isPending}
              onClick={() => download.mutate(document)}
            >
              {describeDocument(document.kind)} {document.number}
            </button>
          </li>
        ))}
      </ul>
      {download.isError && (
        <p class="field-error" role="alert">
          {describeError(download.error)}
        </p>
      )}
    </>
  );
}

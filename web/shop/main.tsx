import { hydrate as hydrateQueries, type DehydratedState } from '@tanstack/preact-query';
import { hydrate, render } from 'preact';
import { App, createQueryClient } from './app';
import { createShop } from './shop';
import './styles/shop.css';

const client = createQueryClient();
// A page that the browser kept is as it was left: the cart may have been bought since.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void client.invalidateQueries();
});

const data = document.getElementById('shop-data')?.textContent;
const page = document.getElementById('shop')!; // It stands in index.html.
const app = <App shop={createShop(location.origin)} client={client} />;
if (data === undefined) render(app, page);
else {
  // The server wrote it.
  hydrateQueries(client, JSON.parse(data) as DehydratedState);
  hydrate(app, page);
}

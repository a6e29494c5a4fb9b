import { fileURLToPath } from 'node:url';
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The store that `npm run dev:web` shows. */
const STORE = process.env['STORE'] ?? 'http://127.0.0.1:3000';

/** Each face is a folder; FACE selects the one that is built or served. */
const face = process.env['FACE'] === 'office' ? 'office' : 'shop';

export default defineConfig({
  root: at(face),
  base: face === 'office' ? '/admin/' : '/',
  plugins: [preact()],
  resolve: { alias: { 'store-api-client': at('../client/src/index.ts') } },
  build: {
    assetsDir: `${face}-files`,
    assetsInlineLimit: 0,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
  },
  // The page that the server renders needs no packages at run time.
  ssr: { noExternal: true },
  server: { proxy: { '/api': STORE, '/store/': STORE } },
});

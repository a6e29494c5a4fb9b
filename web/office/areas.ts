import type { Scope } from './access';

/** An area of the office: its address, its name, and the scopes any of which opens it. */
interface Area {
  path: string;
  name: string;
  scopes: readonly Scope[];
}

/** What the office consists of, in the order of the navigation. */
export const AREAS: readonly Area[] = [
  { path: '/orders', name: 'Orders', scopes: ['orders:read'] },
  { path: '/ship', name: 'Ship today', scopes: ['shipments:read'] },
  { path: '/returns', name: 'Returns', scopes: ['orders:read'] },
  { path: '/products', name: 'Products', scopes: ['catalog:read'] },
  { path: '/categories', name: 'Categories', scopes: ['catalog:read'] },
  { path: '/prices', name: 'Prices', scopes: ['catalog:write'] },
  { path: '/stock', name: 'Stock', scopes: ['stock:read'] },
  { path: '/customers', name: 'Customers', scopes: ['customers:read'] },
  { path: '/staff', name: 'Staff', scopes: ['customers:write'] },
  { path: '/promotions', name: 'Promotions', scopes: ['settings:read'] },
  { path: '/reports', name: 'Reports', scopes: ['reports:read'] },
  { path: '/documents', name: 'Documents', scopes: ['reports:read'] },
  {
    path: '/files',
    name: 'Import and export',
    scopes: ['catalog:read', 'stock:read', 'orders:read', 'customers:read', 'payments:read'],
  },
  // Also for the option types and the tax categories of the catalog.
  { path: '/settings', name: 'Settings', scopes: ['settings:read', 'events:read', 'catalog:read'] },
  { path: '/audit', name: 'Audit log', scopes: ['settings:read'] },
];

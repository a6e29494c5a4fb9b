import type { ComponentChildren } from 'preact';
import type { Scope } from './access';
import { Audit } from './pages/audit';
import { Categories } from './pages/categories';
import { Count } from './pages/count';
import { CustomerPage } from './pages/customer';
import { Customers } from './pages/customers';
import { Dashboard } from './pages/dashboard';
import { Documents } from './pages/documents';
import { Files } from './pages/files';
import { Movements } from './pages/movements';
import { OrderPage } from './pages/order';
import { Orders } from './pages/orders';
import { Prices } from './pages/prices';
import { ProductPage } from './pages/product';
import { Products } from './pages/products';
import { Promotions } from './pages/promotions';
import { Reports } from './pages/reports';
import { Returns } from './pages/returns';
import { Search } from './pages/search';
import { Ship } from './pages/ship';
import { Staff } from './pages/staff';
import { Stock } from './pages/stock';
import { ShippingCategories, ShippingMethods } from './settings/delivery';
import { MailPage, Mails } from './settings/mails';
import { OptionTypes } from './settings/option-types';
import { Locations, Roles } from './settings/places';
import { PaymentMethods, ReturnReasons } from './settings/selling';
import { Settings } from './settings/settings';
import { StoreSettings } from './settings/store';
import { Stores } from './settings/stores';
import { TwoFactor } from './pages/two-factor';
import { TaxCategories, TaxRates, Zones } from './settings/taxes';
import { Deliveries, Webhooks } from './settings/webhooks';

/** A page of the office: its address, the scope it needs (`*`: all of them), and what it shows. */
interface Room {
  path: string;
  scope: Scope | '*' | null;
  /** Shows the page; `of` is the last part of an address with one. */
  page: (of: string) => ComponentChildren;
}

export const ROOMS: readonly Room[] = [
  { path: '/', scope: null, page: () => <Dashboard /> },
  { path: '/account', scope: null, page: () => <TwoFactor /> },
  { path: '/search', scope: null, page: () => <Search /> },
  { path: '/orders', scope: 'orders:read', page: () => <Orders /> },
  { path: '/orders/:of', scope: 'orders:read', page: (of) => <OrderPage number={of} /> },
  { path: '/ship', scope: 'shipments:read', page: () => <Ship /> },
  { path: '/returns', scope: 'orders:read', page: () => <Returns /> },
  { path: '/products', scope: 'catalog:read', page: () => <Products /> },
  { path: '/products/:of', scope: 'catalog:read', page: (of) => <ProductPage id={of} /> },
  { path: '/categories', scope: 'catalog:read', page: () => <Categories /> },
  { path: '/prices', scope: 'catalog:write', page: () => <Prices /> },
  { path: '/stock', scope: 'stock:read', page: () => <Stock /> },
  { path: '/stock/count', scope: 'stock:write', page: () => <Count /> },
  { path: '/stock/movements', scope: 'stock:read', page: () => <Movements /> },
  { path: '/customers', scope: 'customers:read', page: () => <Customers /> },
  { path: '/customers/:of', scope: 'customers:read', page: (of) => <CustomerPage id={Number(of)} /> },
  { path: '/staff', scope: 'customers:write', page: () => <Staff /> },
  { path: '/promotions', scope: 'settings:read', page: () => <Promotions /> },
  { path: '/reports', scope: 'reports:read', page: () => <Reports /> },
  { path: '/documents', scope: 'reports:read', page: () => <Documents /> },
  { path: '/files', scope: null, page: () => <Files /> },
  { path: '/audit', scope: 'settings:read', page: () => <Audit /> },
  { path: '/settings', scope: null, page: () => <Settings /> },
  { path: '/settings/store', scope: 'settings:read', page: () => <StoreSettings /> },
  { path: '/settings/stores', scope: 'settings:read', page: () => <Stores /> },
  { path: '/settings/stores/:of', scope: 'settings:read', page: (of) => <StoreSettings id={Number(of)} /> },
  { path: '/settings/option-types', scope: 'catalog:read', page: () => <OptionTypes /> },
  { path: '/settings/zones', scope: 'settings:read', page: () => <Zones /> },
  { path: '/settings/tax-rates', scope: 'settings:read', page: () => <TaxRates /> },
  { path: '/settings/tax-categories', scope: 'catalog:read', page: () => <TaxCategories /> },
  { path: '/settings/shipping-methods', scope: 'settings:read', page: () => <ShippingMethods /> },
  { path: '/settings/shipping-categories', scope: 'catalog:read', page: () => <ShippingCategories /> },
  { path: '/settings/payment-methods', scope: 'settings:read', page: () => <PaymentMethods /> },
  { path: '/settings/return-reasons', scope: 'settings:read', page: () => <ReturnReasons /> },
  { path: '/settings/locations', scope: 'stock:read', page: () => <Locations /> },
  { path: '/settings/roles', scope: '*', page: () => <Roles /> },
  { path: '/settings/mails', scope: 'settings:read', page: () => <Mails /> },
  { path: '/settings/mails/:of', scope: 'settings:read', page: (of) => <MailPage name={of} /> },
  { path: '/settings/webhooks', scope: 'events:read', page: () => <Webhooks /> },
  { path: '/settings/webhooks/:of', scope: 'events:read', page: (of) => <Deliveries id={Number(of)} /> },
];

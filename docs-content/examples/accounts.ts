import type { z } from 'zod';
import type { NewApiTokenJson } from '../../src/accounts/api-tokens/api-tokens.schema';
import type { ApiTokenJson } from '../../src/accounts/token-store/api-tokens.definition';
import type { RoleJson } from '../../src/accounts/roles/roles.definition';
import type { SessionJson } from '../../src/accounts/sessions/sessions.schema';
import type { NewTwoFactorJson, TwoFactorJson } from '../../src/accounts/two-factor/two-factor.schema';
import type { StoreJson } from '../../src/accounts/stores/stores.definition';
import type { NewUserJson, UserJson } from '../../src/accounts/users/users.schema';
import { address as newAddress } from '../sample-customer';
import { address } from './places';
import type { ResourceExamples } from './resource-examples';

export const user: UserJson = {
  id: 2,
  email: 'ann@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
  roles: ['customer'],
  bill_address: { ...address, id: 3 },
  ship_address: { ...address, id: 4 },
  vat_id: null,
  public_metadata: {},
};

export const session: z.output<typeof SessionJson> = { token: '3q2fBq0p7dYtUo9wQk1vJ8mZ5sX4cR6n', user };

export const apiToken: ApiTokenJson = {
  id: 3,
  name: 'sign-in',
  created_at: '2026-03-01T09:30:00.000Z',
  revoked_at: null,
  last_used_at: '2026-03-01T10:15:00.000Z',
  scopes: ['*'],
  expires_at: '2026-03-31T10:15:00.000Z',
};

export const twoFactor: TwoFactorJson = { enabled: true, required: false, recovery_codes_left: 10 };

export const newTwoFactor: NewTwoFactorJson = {
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  otpauth_url:
    'otpauth://totp/Example%20Store:ann%40example.com?issuer=Example%20Store&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
  recovery_codes: ['4f7kqn-w2m9xe-b6vtrd-8cgpya', 'h3nbzu-8ptrcw-k5yqmf-2axjed'],
};

export const role: RoleJson = {
  id: 4,
  name: 'warehouse',
  scopes: ['stock:write', 'orders:read', 'shipments:write'],
};

export const store: StoreJson = {
  id: 1,
  name: 'Example Store',
  url: 'store.example.com',
  code: 'store',
  mail_from_address: 'store@example.com',
  meta_description: null,
  meta_keywords: null,
  seo_title: null,
  is_default: true,
  currency: 'USD',
  default: true,
  default_currency: 'USD',
  default_country_id: 1,
  track_inventory_levels: true,
  auto_capture: false,
  auto_capture_on_dispatch: false,
  tax_using_ship_address: true,
  require_two_factor: false,
  time_zone: 'UTC',
  currency_display: 'symbol',
  currency_position: 'before',
  decimal_mark: '.',
  thousands_separator: ',',
  date_format: 'YYYY-MM-DD',
  order_url: null,
  return_days: 14,
  payment_wait_minutes: 60,
  low_stock_threshold: 5,
  abandoned_cart_hours: 24,
  invoice_issuer: null,
  issuer_name: 'Example Store Ltd',
  issuer_address1: '1 Main Street',
  issuer_address2: null,
  issuer_zipcode: '20814',
  issuer_city: 'Bethesda',
  issuer_state_name: 'MD',
  issuer_country_id: 1,
  issuer_phone: '555-0100',
  issuer_tax_number: '12-3456789',
  issuer_vat_id: null,
  issuer_bank: 'Example Bank',
  issuer_iban: null,
  issuer_bic: null,
  document_logo: null,
  document_footer: 'Thank you for your order.',
  document_locale: 'en',
  document_texts: { invoice: 'Sales invoice' },
  document_tax_rounding: 'line',
  einvoice: false,
  invoice_prefix: 'INV-',
  invoice_start: 1,
  credit_note_prefix: 'CN-',
  credit_note_start: 1,
  correction_prefix: 'COR-',
  correction_start: 1,
  document_numbers_yearly: false,
  mail_order_confirmed: true,
  mail_shipped: true,
  mail_canceled: true,
  mail_refunded: true,
  mail_return_received: true,
  mail_invoice: false,
  language: 'english',
  product_url: null,
  feeds: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

export const newUser: z.output<typeof NewUserJson> = {
  ...user,
  bill_address: null,
  ship_address: null,
  token: '3q2fBq0p7dYtUo9wQk1vJ8mZ5sX4cR6n',
};

export const newApiToken: NewApiTokenJson = {
  ...apiToken,
  name: 'warehouse',
  scopes: ['stock:write'],
  last_used_at: null,
  expires_at: '2126-06-01T00:00:00.000Z',
  token: '9dLw2rTq7vXbN4mKc8sZ1pYf6hJg3aQe',
};

export const accountsExamples: ResourceExamples = {
  replies: {
    Role: role,
    User: user,
    NewUser: newUser,
    Session: session,
    ApiToken: apiToken,
    NewApiToken: newApiToken,
    TwoFactor: twoFactor,
    NewTwoFactor: newTwoFactor,
    Store: store,
  },
  requests: {
    'post /users': { user: { email: 'ann@example.com', password: 'correct horse battery' } },
    'put /users/:id': { user: { bill_address: newAddress } },
    'put /users/me': { user: { bill_address: newAddress } },
    'post /users/me/addresses': { address: { ...newAddress, default_ship: true } },
    'put /users/me/addresses/:id': { address: { default_bill: true } },
    'put /users/:id/erase': { force: false },
    'put /users/:id/merge': { user_id: 3 },
    'post /users/:id/addresses': { address: newAddress },
    'put /users/:user_id/addresses/:id': { address: { default_ship: true } },
    'put /users/me/credit_cards/:id': { credit_card: { default: true } },
    'put /users/:user_id/credit_cards/:id': { credit_card: { default: true } },
    'post /passwords': { email: 'ann@example.com' },
    'put /passwords': { token: 'hH5…', password: 'better horse battery' },
    'post /users/:id/tokens': {
      api_token: { name: 'warehouse', scopes: ['stock:write'], expires_at: '2126-06-01T00:00:00.000Z' },
    },
    'post /roles': { role: { name: 'returns', scopes: ['orders:write', 'stock:read'] } },
    'put /roles/:id': { role: { scopes: ['catalog:write', 'stock:read'] } },
    'post /users/me/two_factor': { current_password: 'correct horse battery' },
    'put /users/me/two_factor': { code: '287082' },
    'delete /users/me/two_factor': { code: '287082' },
    'post /sessions': { email: 'ann@example.com', password: 'correct horse battery' },
    'post /stores': {
      store: {
        name: 'Harbour',
        url: 'shop.example',
        code: 'harbour',
        mail_from_address: 'shop@shop.example',
      },
    },
    'put /stores/:id': { store: { currency: 'EUR', auto_capture: true } },
  },
  parameters: {
    places: {
      '/stores/:id': 1,
      '/roles/:id': 4,
      '/users/:id': 2,
      '/users/:user_id': 2,
      '/users/:user_id/tokens/:id': 2,
      '/users/me/addresses/:id': 17,
      '/users/:user_id/addresses/:id': 17,
      '/users/me/credit_cards/:id': 1,
      '/users/:user_id/credit_cards/:id': 1,
    },
    routes: {
      'delete /users/:id': { id: 15 },
      'put /users/:id/erase': { id: 15 },
      'delete /stores/:id': { id: 2 },
    },
    madeBy: {
      'post /sessions': 'post /users',
      'delete /users/:id': 'post /users',
      'put /users/:id/erase': 'post /users',
      'put /users/me/addresses/:id': 'post /users/me/addresses',
      'delete /users/me/addresses/:id': 'post /users/me/addresses',
      'put /users/:user_id/addresses/:id': 'post /users/:id/addresses',
      'delete /users/:user_id/addresses/:id': 'post /users/:id/addresses',
      'delete /users/:user_id/tokens/:id': 'post /users/:id/tokens',
      'put /roles/:id': 'post /roles',
      'delete /roles/:id': 'post /roles',
      'delete /stores/:id/logo': 'post /stores/:id/logo',
      'delete /stores/:id': 'post /stores',
    },
  },
};

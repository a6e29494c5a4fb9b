/** Required by a program before it starts: its requests for Stripe and PayPal go to the stand-ins at STRIPE_PORT and PAYPAL_URL. */
const http = require('node:http');
const https = require('node:https');
const { syncBuiltinESMExports } = require('node:module');

const { request } = https;

https.request = (options, ...rest) =>
  options.host === 'api.stripe.com'
    ? http.request(
        { ...options, host: '127.0.0.1', port: process.env.STRIPE_PORT, protocol: 'http:', agent: undefined },
        ...rest,
      )
    : request(options, ...rest);
syncBuiltinESMExports();

const { fetch } = globalThis;

globalThis.fetch = (address, options) =>
  typeof address === 'string'
    ? fetch(address.replace('https://api-m.sandbox.paypal.com', process.env.PAYPAL_URL), options)
    : fetch(address, options);

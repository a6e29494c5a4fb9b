/** Required by a program before it starts: its requests for Stripe go to the stand-in at STRIPE_PORT. */
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

/**
 * Runs an entry point of the store, `src/main` or `src/worker`, whose gateway for Stripe leads to a stand-in on this machine.
 * Everything else is the program as it is built. Environment: STAND_IN_PORT.
 */
const { build, isBuilt } = require('../bin/build');

process.env.NODE_ENV ||= 'production';
if (!isBuilt()) build();
const gateways = '../dist/src/sales/payment-processing/gateways';
const { builtInGateways } = require(`${gateways}/registry.js`);
const { createStripeGateway } = require(`${gateways}/stripe/index.js`);
const host = { host: '127.0.0.1', port: Number(process.env.STAND_IN_PORT), protocol: 'http' };
builtInGateways.stripe = createStripeGateway(host);
require('../bin/run').run(process.argv[2]);

/** Runs the store without noting events of orders. The rest of the events are noted by triggers, which `silence` disables. */
process.env.NODE_ENV ||= 'production';
const { build, isBuilt } = require('../bin/build');

if (!isBuilt()) build();
require('../dist/src/sales/order/order-events.js').listOrderEvents = () => [];
require('../bin/run').run('src/main');

const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** The seconds of the longest files on two cores, about. */
const SECONDS = {
  'browser/office': 100,
  'browser/shop': 100,
  'process/backup': 84,
  'process/connected-store': 64,
  'contract/guides': 60,
  'property/accountant': 58,
  'process/costly-requests': 56,
  'api/sales/large-orders': 53,
  'process/killed-before-reply': 50,
  'browser/reference': 45,
  'contract/repeated-examples': 41,
  'process/stop': 40,
  'contract/examples': 38,
  'property/shop': 37,
  'process/worker': 36,
  'process/exchange-memory': 36,
  'process/embedded': 35,
  'process/dump': 30,
  'process/workers': 30,
  'process/replica': 27,
};

/**
 * Starts the longest files first, so that no worker is left with one of them at the end while the other is idle. Jest knows how long
 * a file took the last time; in a fresh clone it would go by sizes, and some of the longest are small.
 */
class SlowSequencer extends Sequencer {
  time(test) {
    const known = super.time(test);
    if (known !== undefined) return known;
    const name = path.relative(path.resolve(__dirname, '..'), test.path).replaceAll('\\', '/');
    const seconds = SECONDS[name.replace('.slow.test.ts', '')];
    return seconds === undefined ? test.context.hasteFS.getSize(test.path) : seconds * 1000;
  }
}

module.exports = SlowSequencer;

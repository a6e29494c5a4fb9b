import { testApp } from '../support/api';
import { CHROMIUM } from '../support/browser';
import { listen } from '../support/listen';
import { openOperations } from '../support/reference-viewer';

const testInBrowser = CHROMIUM === null ? test.skip : test;

testInBrowser(
  `every operation of /docs opens${CHROMIUM === null ? ' (skipped: no Chromium here)' : ''}`,
  async () => {
    const server = await listen(testApp().app);
    try {
      const { times, errors } = await openOperations(server.url, 1);
      const slowest = Object.entries(times).sort(([, one], [, other]) => other - one);
      expect(slowest.length).toBeGreaterThan(200);
      expect(errors).toEqual([]);
      // Figures for people: how long it takes depends on what else the machine does.
      const median = slowest[Math.floor(slowest.length / 2)]?.[1] ?? 0;
      const [name, most] = slowest[0] ?? ['', 0];
      process.stdout.write(
        `${slowest.length} operations of /docs opened: ${Math.round(median)} ms in the median, at most ${Math.round(most)} ms (${name})\n`,
      );
    } finally {
      await server.close();
    }
  },
  600_000,
);

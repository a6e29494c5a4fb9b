import { startCpuMeasurement } from './cpu';
import { calculateFigures, CONNECTIONS, measureGet, measureWork } from './load';
import { startLimits } from './processes';
import type { Section } from './report';
import type { Scenario } from './sales-scenarios';
import { buildTokenHeader, buy, expectOk } from './shopper';

/** Measures carts with one line item, two requests each, relative to a bare read of one row. */
export async function measureCarts(scene: Scenario, section: Section): Promise<void> {
  const { bench, client, shop, variantIds, clocks } = scene;
  // The server needs a file of bytes, which this scenario does not request.
  const limits = await startLimits({ DATABASE_URL: bench.databaseUrl, BYTES: __filename });
  try {
    const row = await measureGet({ url: `${limits.url}/row` }, bench.seconds);
    const readCpu = startCpuMeasurement(clocks);
    let carts = 0;
    const figures = await measureWork(async (worker) => {
      const variant_id = variantIds[(worker + carts) % variantIds.length] ?? 0;
      await buy(client, shop, { variant_id, quantity: 1 }, { until: 'go to the address step' });
      carts += 1;
    }, bench.seconds);
    section.addMeasurement({
      name: 'cart with a line item, two requests',
      unit: 'carts',
      ...figures,
      cpu: readCpu(carts),
      compared: { with: `(b) at ${Math.round(row.rate)}`, ratio: figures.rate / row.rate, target: 0.08 },
    });
  } finally {
    await limits.stop();
  }
}

/** Measures eight buyers who each fill carts with ten different variants. */
export async function measureLineItems(
  { bench, client, variantIds, memory }: Scenario,
  section: Section,
): Promise<void> {
  const times: number[] = [];
  const started = performance.now();
  let waited = 0;
  await measureWork(async (worker) => {
    const opened = performance.now();
    const { body: order } = await expectOk(client.send({ method: 'POST', path: '/orders' }));
    waited += performance.now() - opened;
    for (let line = 0; line < 10; line += 1) {
      const variant_id = variantIds[(worker * 100 + line) % variantIds.length];
      const body = { line_item: { variant_id, quantity: 1 } };
      const request = {
        method: 'POST',
        path: `/orders/${order.number}/line_items`,
        body,
        headers: buildTokenHeader(order),
      } as const;
      times.push((await expectOk(client.send(request))).ms);
    }
  }, bench.seconds);
  // Subtract the time spent on creating carts.
  const elapsed = performance.now() - started - waited / CONNECTIONS;
  section.addMeasurement({
    name: 'add a line item',
    unit: 'req',
    ...calculateFigures(times, elapsed),
    memory: await memory(),
  });
}

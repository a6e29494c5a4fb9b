import { performance } from 'node:perf_hooks';
import { api, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { unique } from '../../support/unique';

test('searches take up to three connections, and ask whether the event loop is busy', async () => {
  const { db } = testApp().deps;
  // When products appear by time is read before the first search.
  await api().get('/products');
  const measured = jest
    .spyOn(performance, 'eventLoopUtilization')
    .mockReturnValue({ active: 0, idle: 1, utilization: 0 });
  let started = 0;
  let resolve = () => {};
  const threeStarted = new Promise<void>((done) => (resolve = done));
  const count = ({ sql }: { sql: string }) => {
    if (!sql.includes('"found" as materialized')) return;
    started += 1;
    if (started === 3) resolve();
  };
  db.on('query', count);
  try {
    const lock = await testDb().transaction();
    await lock.raw('LOCK TABLE products');
    const searches = Array.from({ length: 6 }, () => api().get(`/products?q[name_cont]=${unique('Sought')}`));
    const replies = Promise.all(searches);
    await threeStarted;
    // The others have arrived before: their statements would have been sent.
    expect((await api().get('/countries')).status).toBe(200);
    expect(started).toBe(3);
    expect(measured).toHaveBeenCalled();
    await lock.rollback();
    expect((await replies).map(({ status }) => status)).toEqual(searches.map(() => 200));
    expect(started).toBe(6);
  } finally {
    db.removeListener('query', count);
    measured.mockRestore();
  }
});

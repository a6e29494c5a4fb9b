import { canSupply } from '../../../src/inventory/availability';

const counted = { tracks_inventory: true, total_on_hand: 3, backorderable: false };

describe('what can be supplied', () => {
  test('as many as all active locations have together, and no more', () => {
    expect(canSupply(counted, 3)).toBe(true);
    expect(canSupply(counted, 4)).toBe(false);
  });

  test('any number where backorders are taken, even with units owed', () => {
    expect(canSupply({ ...counted, total_on_hand: -7, backorderable: true }, 2147483647)).toBe(true);
  });

  test('any number of what is not counted', () => {
    expect(canSupply({ ...counted, tracks_inventory: false, total_on_hand: 0 }, 1000)).toBe(true);
  });

  test('nothing while units are owed and backorders have been closed', () => {
    expect(canSupply({ ...counted, total_on_hand: -1 }, 1)).toBe(false);
  });

  test('no units at all are always to be had', () => {
    expect(canSupply({ ...counted, total_on_hand: 0 }, 0)).toBe(true);
  });
});

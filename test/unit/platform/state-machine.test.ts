import { isRefused, sameState, createMachine } from '../../../src/platform/state-machine';

interface Door {
  has_key: boolean;
  is_oiled: boolean;
}

const hasKey = (door: Door) => (door.has_key ? null : { base: ['no key'] });
const isOiled = (door: Door) => (door.is_oiled ? null : { hinge: ['is rusty'] });

const machine = createMachine<
  'open' | 'closed' | 'locked' | 'turning',
  'close' | 'lock' | 'paint',
  Door,
  'creak' | 'shine' | 'ask' | 'forget',
  'locksmith'
>([
  { from: 'open', on: 'close', to: 'closed', given: (door) => door.is_oiled },
  { from: 'open', on: 'close', to: 'closed', then: ['creak'] },
  { from: 'closed', on: 'close', to: sameState },
  {
    from: ['open', 'closed'],
    on: 'lock',
    to: 'locked',
    when: [hasKey, { guard: isOiled, orElse: ['creak'] }],
    prepare: ['ask'],
    through: 'turning',
    calls: 'locksmith',
    then: ['shine'],
    undo: ['forget'],
  },
  { from: ['open', 'locked'], on: 'paint', to: sameState, then: ['shine'] },
]);

const door: Door = { has_key: true, is_oiled: true };

test('the first selected row decides', () => {
  expect(machine.decide('open', 'close', door)).toMatchObject({ to: 'closed', then: [] });
  expect(machine.decide('open', 'close', { ...door, is_oiled: false })).toMatchObject({ then: ['creak'] });
});

test('omitted fields of a row are empty', () => {
  expect(machine.decide('closed', 'lock', door)).toEqual({
    from: 'closed',
    to: 'locked',
    then: ['shine'],
    after: [],
    prepare: ['ask'],
    through: 'turning',
    calls: 'locksmith',
    undo: ['forget'],
    refusedTo: 'closed',
    isNoOp: false,
  });
});

test('a repeated event is a no-op unless the row has effects', () => {
  expect(machine.decide('closed', 'close', door)).toMatchObject({
    to: 'closed',
    isNoOp: true,
  });
  expect(machine.decide('locked', 'paint', door)).toMatchObject({
    to: 'locked',
    isNoOp: false,
  });
});

test('the first failing guard decides, with its orElse effects', () => {
  expect(machine.decide('open', 'lock', { has_key: false, is_oiled: false })).toEqual({
    refused: { base: ['no key'] },
    orElse: [],
  });
  const decision = machine.decide('open', 'lock', { has_key: true, is_oiled: false });
  expect(decision).toEqual({ refused: { hinge: ['is rusty'] }, orElse: ['creak'] });
  expect(isRefused(decision)).toBe(true);
});

test('an event without a row is refused with a message', () => {
  expect(machine.decide('locked', 'close', door)).toEqual({
    refused: { state: ['cannot transition via "close"'] },
    orElse: [],
  });
});

test('getCalled does not evaluate guards', () => {
  expect(machine.getCalled('open', 'lock', 'locksmith')).toMatchObject({ to: 'locked', undo: ['forget'] });
  expect(() => machine.getCalled('locked', 'lock', 'locksmith')).toThrow('no row calls locksmith');
});

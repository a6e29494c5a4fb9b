import { parseOptions } from '../../prove/options';
import { prove } from '../../prove/prove';
import { killPrograms } from '../support/program';

afterAll(killPrograms);

/**
 * The short form of `npm run prove`, without what takes long: the mails of a killed worker are repeated only after 20 seconds, and a
 * server is frozen for 11.
 */
const SHORT = [
  ...[
    '--clients',
    '4',
    '--sales',
    '6',
    '--server-kills',
    '1',
    '--server-freezes',
    '0',
    '--database-kills',
    '1',
  ],
  ...['--worker-kills', '0', '--freezes', '0', '--losses', '1', '--silences', '1', '--settle-seconds', '120'],
];

test('nothing is lost or done twice when server and database are killed under load', async () => {
  const options = parseOptions(SHORT);
  const { claims } = await prove(options, () => undefined);
  const broken = claims.filter(({ breaches }) => breaches.length > 0);
  expect([options.seed, broken]).toEqual([options.seed, []]);
});

test('options are numbers, and unknown ones are refused', () => {
  expect(parseOptions(['--seed', '7'])).toMatchObject({
    serverKills: 20,
    serverFreezes: 2,
    databaseKills: 10,
    workerKills: 5,
    seed: 7,
  });
  expect(() => parseOptions(['--clients', '0'])).toThrow('Usage');
  expect(() => parseOptions(['--sales', 'many'])).toThrow('Usage');
  expect(() => parseOptions(['--kills', '1'])).toThrow();
});

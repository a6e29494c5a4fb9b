import { parseHosts } from '../../../src/platform/database/hosts';

test.each([
  ['postgres://u:p@a/shop', ['postgres://u:p@a/shop'], 'any'],
  ['postgresql://u@a:5433/shop?sslmode=require', ['postgresql://u@a:5433/shop?sslmode=require'], 'any'],
  ['postgres://u:p@a,b/shop', ['postgres://u:p@a/shop', 'postgres://u:p@b/shop'], 'any'],
  [
    'postgres://u:p%40@a:1,[::1]:2/shop?sslmode=require&target_session_attrs=read-write',
    ['postgres://u:p%40@a:1/shop?sslmode=require', 'postgres://u:p%40@[::1]:2/shop?sslmode=require'],
    'read-write',
  ],
  ['postgres://a/shop?target_session_attrs=standby', ['postgres://a/shop'], 'standby'],
  ['postgres:///shop?host=/run/postgresql', ['postgres:///shop?host=/run/postgresql'], 'any'],
])('the hosts of %s', (text, urls, target) => {
  expect(parseHosts(text)).toEqual({ urls, target });
});

test.each([
  'mysql://a/shop',
  'postgres://a',
  'postgres://a/',
  'postgres://a,/shop',
  'postgres://,/shop',
  'postgres://a:port,b/shop',
  'postgres://a,b/shop?target_session_attrs=fast',
])('%s is no URL of a database', (text) => {
  expect(parseHosts(text)).toBeNull();
});

import { JsonText } from '../../../src/platform/http/json-text';
import { api } from '../../support/api';

afterEach(() => jest.restoreAllMocks());

test('the OpenAPI document is serialized once, and its replies share the bytes', async () => {
  const first = await api().get('/openapi.json');
  const serialize = jest.spyOn(JsonText, 'of');
  const second = await api().get('/openapi.json');
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body).toEqual(first.body);
  expect(second.headers['etag']).toBe(first.headers['etag']);
  expect(serialize).not.toHaveBeenCalled();
});

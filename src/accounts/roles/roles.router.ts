import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { Role } from './roles.definition';
import { roles } from './roles.service';

export function rolesRouter(): ApiRouter {
  const router = createApiRouter('Users', 'settings');
  declareEndpoints(router, {
    definition: Role,
    useCases: roles,
    serialize: Role.serialize,
    access: { read: 'full_admin', write: 'full_admin' },
    private: true,
    summaries: {
      list: 'List the roles of members of staff',
      update: 'Update a role other than admin and customer',
      delete: 'Delete a role that no user has',
    },
    descriptions: {
      create: 'Users get roles through `PUT /users/:id`. A user with several roles has the scopes of all.',
    },
  });
  return router;
}

import type { ApiReference } from '../src/platform/openapi/reference';
import { accessTexts, securitySchemes } from './access';
import { examples } from './examples';
import { INTRODUCTION } from './introduction';
import { errorCodes } from './error-codes';
import { parameters } from './parameters';
import { properties } from './properties';
import { TAGS } from './tags';

/** The parts of the reference page that cannot be generated from the endpoints. */
export const storeReference: ApiReference = {
  title: 'Store API',
  securitySchemes,
  access: accessTexts,
  introduction: INTRODUCTION,
  tags: TAGS,
  parameters,
  properties,
  errorCodes,
  ...examples,
  refusalExamples: {
    forbidden: 'This payment cannot be updated because it is completed.',
    invalid: {
      state: {
        error: 'The order could not be transitioned. Please fix the errors and try again.',
        errors: { email: ["can't be blank"] },
      },
      refused: 'Cannot ship shipment.',
    },
  },
  rareRefusals: {
    'post /sessions': [429],
    'post /users': [429],
    'put /users/me': [429],
    'put /users/:id': [429],
    'post /passwords': [429],
    'put /passwords': [429],
    'put /users/me/two_factor': [429],
    'delete /users/me/two_factor': [429],
    'post /orders': [429],
    'put /orders/:number': [429],
    'put /orders/:number/apply_coupon_code': [429],
    'put /checkouts/:number': [429],
    'put /checkouts/:number/apply_coupon_code': [429],
    'put /orders/:number/payments/:id': [403],
  },
};

import { ERROR_CODES } from '../src/errors/error-codes';
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
  errorStatuses: ERROR_CODES,
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
};

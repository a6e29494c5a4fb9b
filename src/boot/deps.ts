import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { buildMailPath, type Config } from '../config';
import type { Deps } from '../sales/context';
import { createRateLimits } from '../platform/rate-limits';
import { createMailer } from '../platform/mail/mailer';
import { createSmtp } from '../platform/mail/smtp';
import { createMailFolder } from '../platform/mail/mail-folder';
import { createVariantStock } from '../inventory/variant-stock';
import { fillBackorders } from '../sales/fulfilment/fill-backorders';
import { createOrderTurns } from '../sales/order/order-turns';
import { builtInGateways } from '../sales/payment-processing/gateways/registry';
import { createStorage } from './storage';
import { loadStoreSecret } from './store-secret';

/** Creates the program's real dependencies; tests create their own. @throws StartupError, as `loadStoreSecret` */
export async function createDeps(config: Config, db: Knex, log: Logger): Promise<Deps> {
  const secret = await loadStoreSecret(config, db);
  return {
    db,
    log,
    now: () => new Date(),
    storage: createStorage(config),
    variantStock: createVariantStock,
    onBackordersFilled: fillBackorders,
    gateways: builtInGateways,
    orderTurns: createOrderTurns(),
    secret,
    mailer: createMailer(
      config.mailUrl === null ? createMailFolder(buildMailPath(config), log) : createSmtp(config.mailUrl),
      secret,
    ),
    allowsPrivateWebhooks: config.allowsPrivateWebhooks,
    limits: createRateLimits(db, config.rateLimitScale),
  };
}

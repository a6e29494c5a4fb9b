import { z } from 'zod';
import type { StoreRow } from '../accounts/stores/stores.definition';
import { withTransaction } from '../platform/database/transaction';
import { MailRefused, type Mail, type MailValues } from '../platform/mail/mailer';
import type { Deps } from '../sales/context';
import { isErasedEmail } from '../sales/customers/erased-email';
import { getDocumentContent } from '../sales/documents/document-files';
import { findDocument } from '../sales/documents/documents.repository';
import { buildTrackingUrl } from '../sales/order-replies/shipments.serializer';
import { isOwnReason } from '../sales/payment-processing/own-reasons';
import { buildOrderLink } from '../sales/orders/order-link';
import { deriveOrderToken } from '../sales/order/order-token';
import {
  findMailOrders,
  findMailRefund,
  findMailReturn,
  findMailShipment,
  type MailOrder,
} from './mail-data.repository';
import { enqueueEachMail, OrderMail } from './mail-jobs';
import { isOrderMail, MAIL_NAMES, MAIL_SWITCHES, type MailName, type OrderMailName } from './mail-names';
import { findMailStore } from './mail-store';
import type { MailTemplate } from './default-templates';
import { readTemplates } from './mail-templates.service';
import { buildOrderView, buildStoreView, withItems, type MailStore, type MailView } from './mail-view';
import { renderMail } from './render-mail';
import { keepRefusedMail } from './undelivered-mails.repository';
import { createFormats } from '../sales/documents/document-formats';

/** The job of a mail: what `mailer.post` adds, or `enqueueEachMail`. */
const Payload = z.union([
  z.object({ name: z.enum(MAIL_NAMES), id: z.string(), sealed: z.string() }),
  OrderMail,
]);
type Payload = z.output<typeof Payload>;

/** Whether what happened to an order at a time is sample data, of which no mail is sent. */
export type IsSample = (number: string, at: Date) => Promise<boolean>;

/**
 * Sends a mail: a task of the queue. A template that is wrong fails it, and a later attempt uses the corrected one. A mail that
 * a server refuses for good is kept (`undelivered_mails`), and its job completes.
 */
export async function sendMail(
  deps: Deps,
  payload: unknown,
  { isSample, attempt }: { isSample: IsSample; attempt: number },
): Promise<void> {
  const job = Payload.parse(payload);
  await send(await prepareSending(deps, [job], { isSample, attempt }), job);
}

/** As many as there are connections to a mail server. */
const AT_ONCE = 2;

/**
 * Sends several mails: a task of the queue. What they have in common is read once. Mails that fail, and those that are left when
 * the worker stops, become jobs of their own, so that none is sent again for the sake of another.
 */
export async function sendMails(
  deps: Deps,
  payload: unknown,
  { isSample, isRunning, attempt }: { isSample: IsSample; isRunning: () => boolean; attempt: number },
): Promise<void> {
  const mails = z.array(OrderMail).parse(payload);
  const sending = await prepareSending(deps, mails, { isSample, attempt });
  const left: OrderMail[] = [];
  const next = mails.values();
  const sendNext = async (): Promise<void> => {
    for (const mail of next) {
      const isSent =
        isRunning() &&
        // Its own job reports the failure.
        (await send(sending, mail).then(
          () => true,
          () => false,
        ));
      if (!isSent) left.push(mail);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  if (left.length > 0)
    await withTransaction({ db: deps.db }, (tx) => Promise.resolve(enqueueEachMail(tx, left)));
}

/** What mails of one time have in common. */
interface Sending {
  deps: Deps;
  isSample: IsSample;
  attempt: number;
  store: MailStore;
  record: StoreRow | undefined;
  /** Those that the mails are about, by id. */
  orders: ReadonlyMap<number, MailOrder>;
  findTemplate: (name: MailName) => MailTemplate;
}

async function prepareSending(
  deps: Deps,
  jobs: readonly Payload[],
  run: Pick<Sending, 'isSample' | 'attempt'>,
): Promise<Sending> {
  const { record, ...store } = await findMailStore(deps.db);
  const ids = jobs.flatMap((job) => ('sealed' in job ? [] : [job.order_id]));
  const orders = await findMailOrders(deps.db, ids);
  return { deps, ...run, store, record, orders, findTemplate: await readTemplates(deps.db) };
}

async function send(sending: Sending, job: Payload): Promise<void> {
  const { deps, store, attempt } = sending;
  const prepared =
    'sealed' in job
      ? prepareRequested(deps.mailer.open(job.sealed), store)
      : await prepareOrderMail(sending, job);
  if (prepared === null) return;
  const { to, view, attachments = [] } = prepared;
  const contents = await renderMail(sending.findTemplate(job.name), view);
  const { name, mail_from_address: address } = store.sender;
  const host = /@([\w.-]+)$/.exec(address)?.[1] ?? 'localhost';
  try {
    await deps.mailer.send({
      message_id: `${job.name}.${job.id}@${host}`,
      from: { name, address },
      to,
      ...contents,
      attachments,
    });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    const { message: reason } = error;
    const key = `refused_mail.${job.name}.${job.id}`;
    await withTransaction(deps, (tx) => keepRefusedMail(tx, { payload: job, key, attempt, reason }));
    deps.log.warn(
      { mail: job.name, id: job.id, reason },
      'a server refuses a mail for good; see undelivered_mails',
    );
  }
}

type Prepared = { to: string; view: MailView } & Pick<Mail, 'attachments'>;

/** Null if the caller of `post` wanted no mail. */
function prepareRequested({ to = '', link, number }: MailValues, store: MailStore): Prepared | null {
  if (to === '') return null;
  const view = {
    ...buildStoreView(store),
    ...(link !== undefined && { link }),
    ...(number !== undefined && { order: { number } }),
  };
  return { to, view };
}

/** What happened longer ago is history that was imported. */
const RECENT_MS = 24 * 60 * 60 * 1000;

/** Null if the mail is switched off, or there is nothing to tell. */
async function prepareOrderMail(
  { deps, store, record, orders, isSample }: Sending,
  job: OrderMail,
): Promise<Prepared | null> {
  if (!isOrderMail(job.name)) return null;
  if (record?.[MAIL_SWITCHES[job.name]] === false) return null;
  const order = orders.get(job.order_id);
  if (order?.email == null || isErasedEmail(order.email) || order.completed_at === null) return null;
  if (await isSample(order.number, new Date(job.at))) return null;
  const view = await VIEWS[job.name](deps, { store, order, job });
  if (view === null) return null;
  const invoice =
    job.name === 'order_confirmed' && record?.mail_invoice === true ? await findInvoice(deps, order) : [];
  return { to: order.email, view: { ...view, has_invoice: invoice.length > 0 }, attachments: invoice };
}

interface Subject {
  store: MailStore;
  order: MailOrder;
  job: OrderMail;
}

/** Builds what the mail shows; null if it is not sent. */
type ViewBuilder = (deps: Deps, subject: Subject) => Promise<MailView | null> | MailView | null;

const VIEWS: Readonly<Record<OrderMailName, ViewBuilder>> = {
  order_confirmed: ({ secret }, { store, order, job }) => {
    const { completed_at, created_at } = order;
    // An order that was sold elsewhere is complete from the start.
    if (completed_at === null || completed_at <= created_at || isHistory(completed_at, job)) return null;
    const link = buildOrderLink(store.sender, order.number, deriveOrderToken(secret, order.token_seed));
    return { ...buildOrderView(store, order), link };
  },
  shipped: async ({ db }, { store, order, job }) => {
    const shipment = await findMailShipment(db, job.subject_id);
    if (shipment === null || shipment.is_imported || isHistory(shipment.shipped_at, job)) return null;
    const { tracking, items } = shipment;
    const view = withItems(buildOrderView(store, order), items);
    return { ...view, shipment: { tracking, tracking_url: buildTrackingUrl(shipment) } };
  },
  canceled: (_deps, { store, order, job }) =>
    isHistory(order.canceled_at, job) ? null : withItems(buildOrderView(store, order), order.items),
  refunded: async ({ db }, { store, order, job }) => {
    const refund = await findMailRefund(db, job.subject_id, new Date(job.at));
    if (refund === null) return null;
    const { money } = createFormats(store.settings, order.currency);
    const reason = refund.reason !== null && isOwnReason(refund.reason) ? null : refund.reason;
    return { ...buildOrderView(store, order), refund: { amount: money(refund.amount), reason } };
  },
  return_received: async ({ db }, { store, order, job }) => {
    const found = await findMailReturn(db, job.subject_id);
    if (found === null) return null;
    return { ...withItems(buildOrderView(store, order), found.items), return: { number: found.number } };
  },
};

function isHistory(time: Date | null, { at }: OrderMail): boolean {
  return time === null || new Date(at).getTime() - time.getTime() > RECENT_MS;
}

async function findInvoice(deps: Deps, { id }: MailOrder): Promise<NonNullable<Mail['attachments']>> {
  const document = await findDocument(deps.db, id, { kind: 'invoice' });
  if (document === undefined) return [];
  const content = await getDocumentContent(deps, document);
  return [{ filename: `${document.number}.pdf`, content, contentType: 'application/pdf' }];
}

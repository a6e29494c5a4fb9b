import type { Language } from '../platform/languages';

/** The texts of mails in English. Every language has these keys. */
const en = {
  order_confirmed_subject: 'Your order {order} at {store}',
  order_confirmed_intro: 'Thank you for your order {order}. We will tell you when it ships.',
  invoice_attached: 'The invoice is attached.',
  shipped_subject: 'Your order {order} is on its way',
  shipped_intro: 'We have shipped this parcel of your order {order}.',
  track: 'Track the parcel',
  canceled_subject: 'Your order {order} was canceled',
  canceled_intro: 'Your order {order} was canceled. Nothing of it will be shipped.',
  refunded_subject: 'Refund for your order {order}',
  refunded_intro: 'We have refunded {amount} for your order {order}.',
  return_received_subject: 'We have received your return {return}',
  return_received_intro: 'We have received your return {return} of your order {order}.',
  order_link_subject: 'Your order {order} at {store}',
  order_link_intro:
    'Someone requested the link of your order {order} at {store}. It shows the order to everybody who has it.',
  view_order: 'View the order',
  password_reset_subject: 'Your new password for {store}',
  password_reset_intro:
    'Someone requested a new password for your account at {store}. The link is valid for one hour and can be used once.',
  set_password: 'Set a new password',
  not_you: 'If it was not you, ignore this mail. Nothing changes.',
  email_changed_subject: 'Your e-mail address at {store} was changed',
  email_changed_intro:
    'The e-mail address of your account at {store} was changed. This address no longer belongs to the account.',
  new_email_intro: 'This is now the e-mail address of your account at {store}.',
  write_to: 'If it was not you, write to {email} at once.',
} as const;

export type MailLabel = keyof typeof en;
export type MailLabels = Readonly<Record<MailLabel, string>>;

const de: MailLabels = {
  order_confirmed_subject: 'Ihre Bestellung {order} bei {store}',
  order_confirmed_intro: 'Vielen Dank für Ihre Bestellung {order}. Wir melden uns, sobald sie versandt wird.',
  invoice_attached: 'Die Rechnung ist angehängt.',
  shipped_subject: 'Ihre Bestellung {order} ist unterwegs',
  shipped_intro: 'Wir haben dieses Paket Ihrer Bestellung {order} versandt.',
  track: 'Paket verfolgen',
  canceled_subject: 'Ihre Bestellung {order} wurde storniert',
  canceled_intro: 'Ihre Bestellung {order} wurde storniert. Es wird nichts mehr davon versandt.',
  refunded_subject: 'Erstattung für Ihre Bestellung {order}',
  refunded_intro: 'Wir haben {amount} für Ihre Bestellung {order} erstattet.',
  return_received_subject: 'Wir haben Ihre Rücksendung {return} erhalten',
  return_received_intro: 'Wir haben Ihre Rücksendung {return} zur Bestellung {order} erhalten.',
  order_link_subject: 'Ihre Bestellung {order} bei {store}',
  order_link_intro:
    'Der Link zu Ihrer Bestellung {order} bei {store} wurde angefordert. Er zeigt die Bestellung allen, die ihn haben.',
  view_order: 'Bestellung ansehen',
  password_reset_subject: 'Ihr neues Passwort für {store}',
  password_reset_intro:
    'Für Ihr Konto bei {store} wurde ein neues Passwort angefordert. Der Link gilt eine Stunde und nur einmal.',
  set_password: 'Neues Passwort festlegen',
  not_you: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es ändert sich nichts.',
  email_changed_subject: 'Ihre E-Mail-Adresse bei {store} wurde geändert',
  email_changed_intro:
    'Die E-Mail-Adresse Ihres Kontos bei {store} wurde geändert. Diese Adresse gehört nicht mehr zum Konto.',
  new_email_intro: 'Dies ist nun die E-Mail-Adresse Ihres Kontos bei {store}.',
  write_to: 'Wenn Sie das nicht waren, schreiben Sie sofort an {email}.',
};

const fr: MailLabels = {
  order_confirmed_subject: 'Votre commande {order} chez {store}',
  order_confirmed_intro: 'Merci pour votre commande {order}. Nous vous préviendrons de son expédition.',
  invoice_attached: 'La facture est jointe.',
  shipped_subject: 'Votre commande {order} est en route',
  shipped_intro: 'Nous avons expédié ce colis de votre commande {order}.',
  track: 'Suivre le colis',
  canceled_subject: 'Votre commande {order} a été annulée',
  canceled_intro: 'Votre commande {order} a été annulée. Elle ne sera pas expédiée.',
  refunded_subject: 'Remboursement de votre commande {order}',
  refunded_intro: 'Nous avons remboursé {amount} pour votre commande {order}.',
  return_received_subject: 'Nous avons reçu votre retour {return}',
  return_received_intro: 'Nous avons reçu votre retour {return} de la commande {order}.',
  order_link_subject: 'Votre commande {order} chez {store}',
  order_link_intro:
    'Le lien de votre commande {order} chez {store} a été demandé. Il montre la commande à toute personne qui le possède.',
  view_order: 'Voir la commande',
  password_reset_subject: 'Votre nouveau mot de passe pour {store}',
  password_reset_intro:
    'Un nouveau mot de passe a été demandé pour votre compte chez {store}. Le lien est valable une heure et une seule fois.',
  set_password: 'Choisir un nouveau mot de passe',
  not_you: "Si ce n'était pas vous, ignorez ce message. Rien ne change.",
  email_changed_subject: 'Votre adresse e-mail chez {store} a été modifiée',
  email_changed_intro:
    "L'adresse e-mail de votre compte chez {store} a été modifiée. Cette adresse n'appartient plus au compte.",
  new_email_intro: "Ceci est désormais l'adresse e-mail de votre compte chez {store}.",
  write_to: "Si ce n'était pas vous, écrivez immédiatement à {email}.",
};

const es: MailLabels = {
  order_confirmed_subject: 'Su pedido {order} en {store}',
  order_confirmed_intro: 'Gracias por su pedido {order}. Le avisaremos cuando lo enviemos.',
  invoice_attached: 'La factura va adjunta.',
  shipped_subject: 'Su pedido {order} está en camino',
  shipped_intro: 'Hemos enviado este paquete de su pedido {order}.',
  track: 'Seguir el paquete',
  canceled_subject: 'Su pedido {order} ha sido cancelado',
  canceled_intro: 'Su pedido {order} ha sido cancelado. No se enviará nada.',
  refunded_subject: 'Reembolso de su pedido {order}',
  refunded_intro: 'Hemos reembolsado {amount} de su pedido {order}.',
  return_received_subject: 'Hemos recibido su devolución {return}',
  return_received_intro: 'Hemos recibido su devolución {return} del pedido {order}.',
  order_link_subject: 'Su pedido {order} en {store}',
  order_link_intro:
    'Se ha solicitado el enlace de su pedido {order} en {store}. Muestra el pedido a cualquiera que lo tenga.',
  view_order: 'Ver el pedido',
  password_reset_subject: 'Su nueva contraseña de {store}',
  password_reset_intro:
    'Se ha solicitado una nueva contraseña para su cuenta en {store}. El enlace es válido durante una hora y una sola vez.',
  set_password: 'Establecer una nueva contraseña',
  not_you: 'Si no ha sido usted, ignore este mensaje. Nada cambia.',
  email_changed_subject: 'Su dirección de correo en {store} ha cambiado',
  email_changed_intro:
    'La dirección de correo de su cuenta en {store} ha cambiado. Esta dirección ya no pertenece a la cuenta.',
  new_email_intro: 'Esta es ahora la dirección de correo de su cuenta en {store}.',
  write_to: 'Si no ha sido usted, escriba de inmediato a {email}.',
};

const it: MailLabels = {
  order_confirmed_subject: 'Il suo ordine {order} da {store}',
  order_confirmed_intro: 'Grazie per il suo ordine {order}. La avviseremo quando sarà spedito.',
  invoice_attached: 'La fattura è allegata.',
  shipped_subject: 'Il suo ordine {order} è in viaggio',
  shipped_intro: 'Abbiamo spedito questo pacco del suo ordine {order}.',
  track: 'Segui il pacco',
  canceled_subject: 'Il suo ordine {order} è stato annullato',
  canceled_intro: 'Il suo ordine {order} è stato annullato. Non verrà spedito nulla.',
  refunded_subject: 'Rimborso per il suo ordine {order}',
  refunded_intro: 'Abbiamo rimborsato {amount} per il suo ordine {order}.',
  return_received_subject: 'Abbiamo ricevuto il suo reso {return}',
  return_received_intro: "Abbiamo ricevuto il suo reso {return} dell'ordine {order}.",
  order_link_subject: 'Il suo ordine {order} da {store}',
  order_link_intro:
    "È stato richiesto il link del suo ordine {order} da {store}. Mostra l'ordine a chiunque lo possieda.",
  view_order: "Vedi l'ordine",
  password_reset_subject: 'La sua nuova password per {store}',
  password_reset_intro:
    'È stata richiesta una nuova password per il suo account da {store}. Il link vale un’ora e una sola volta.',
  set_password: 'Imposta una nuova password',
  not_you: 'Se non è stato lei, ignori questo messaggio. Non cambia nulla.',
  email_changed_subject: 'Il suo indirizzo e-mail da {store} è stato cambiato',
  email_changed_intro:
    "L'indirizzo e-mail del suo account da {store} è stato cambiato. Questo indirizzo non appartiene più all'account.",
  new_email_intro: "Questo è ora l'indirizzo e-mail del suo account da {store}.",
  write_to: 'Se non è stato lei, scriva subito a {email}.',
};

const nl: MailLabels = {
  order_confirmed_subject: 'Uw bestelling {order} bij {store}',
  order_confirmed_intro: 'Bedankt voor uw bestelling {order}. U hoort van ons zodra deze wordt verzonden.',
  invoice_attached: 'De factuur is bijgevoegd.',
  shipped_subject: 'Uw bestelling {order} is onderweg',
  shipped_intro: 'We hebben dit pakket van uw bestelling {order} verzonden.',
  track: 'Pakket volgen',
  canceled_subject: 'Uw bestelling {order} is geannuleerd',
  canceled_intro: 'Uw bestelling {order} is geannuleerd. Er wordt niets meer verzonden.',
  refunded_subject: 'Terugbetaling van uw bestelling {order}',
  refunded_intro: 'We hebben {amount} terugbetaald voor uw bestelling {order}.',
  return_received_subject: 'We hebben uw retour {return} ontvangen',
  return_received_intro: 'We hebben uw retour {return} van bestelling {order} ontvangen.',
  order_link_subject: 'Uw bestelling {order} bij {store}',
  order_link_intro:
    'De link van uw bestelling {order} bij {store} is aangevraagd. Deze toont de bestelling aan iedereen die hem heeft.',
  view_order: 'Bestelling bekijken',
  password_reset_subject: 'Uw nieuwe wachtwoord voor {store}',
  password_reset_intro:
    'Er is een nieuw wachtwoord aangevraagd voor uw account bij {store}. De link is één uur en één keer geldig.',
  set_password: 'Nieuw wachtwoord instellen',
  not_you: 'Was u dit niet, negeer dan deze e-mail. Er verandert niets.',
  email_changed_subject: 'Uw e-mailadres bij {store} is gewijzigd',
  email_changed_intro:
    'Het e-mailadres van uw account bij {store} is gewijzigd. Dit adres hoort niet meer bij het account.',
  new_email_intro: 'Dit is nu het e-mailadres van uw account bij {store}.',
  write_to: 'Was u dit niet, schrijf dan meteen naar {email}.',
};

const ja: MailLabels = {
  order_confirmed_subject: '【{store}】ご注文 {order} を承りました',
  order_confirmed_intro: 'ご注文 {order} ありがとうございます。発送時に改めてご連絡いたします。',
  invoice_attached: '請求書を添付いたします。',
  shipped_subject: 'ご注文 {order} を発送しました',
  shipped_intro: 'ご注文 {order} の次の商品を発送しました。',
  track: '配送状況を確認する',
  canceled_subject: 'ご注文 {order} はキャンセルされました',
  canceled_intro: 'ご注文 {order} はキャンセルされました。商品は発送されません。',
  refunded_subject: 'ご注文 {order} の返金',
  refunded_intro: 'ご注文 {order} について {amount} を返金しました。',
  return_received_subject: '返品 {return} を受け取りました',
  return_received_intro: 'ご注文 {order} の返品 {return} を受け取りました。',
  order_link_subject: '【{store}】ご注文 {order}',
  order_link_intro:
    '{store} のご注文 {order} のリンクが請求されました。リンクを知っている人は誰でも注文を閲覧できます。',
  view_order: '注文を見る',
  password_reset_subject: '【{store}】新しいパスワード',
  password_reset_intro:
    '{store} のアカウントの新しいパスワードが請求されました。リンクは1時間有効で、1回のみ使用できます。',
  set_password: '新しいパスワードを設定する',
  not_you: 'お心当たりがない場合は、このメールを無視してください。何も変更されません。',
  email_changed_subject: '【{store}】メールアドレスが変更されました',
  email_changed_intro:
    '{store} のアカウントのメールアドレスが変更されました。このアドレスはアカウントから外れました。',
  new_email_intro: 'このアドレスが {store} のアカウントのメールアドレスになりました。',
  write_to: 'お心当たりがない場合は、すぐに {email} までご連絡ください。',
};

/** The texts of mails, by the language of the store. */
export const MAIL_LABELS = { en, de, fr, es, it, nl, ja } satisfies Record<Language, MailLabels>;

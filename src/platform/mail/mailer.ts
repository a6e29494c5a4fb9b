/** A mail to one person. Text and HTML say the same. */
export interface Mail {
  from: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mails. */
export interface Mailer {
  /**
   * Accepts a mail and sends it in the background, so that the time of a reply does not depend on it. A failure is
   * logged without the contents and the mail is lost. Call it after the transaction that the mail is about.
   */
  send: (mail: Mail) => void;
  /** Waits until all accepted mails are sent or have failed. */
  settle: () => Promise<void>;
  /** Deletes the stored mails to an e-mail address, in any letter case. @returns how many */
  forget: (address: string) => Promise<number>;
}

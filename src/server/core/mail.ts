/** One mail, ready to be sent. `html` and `text` say the same. */
export interface Mail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mail in the name of the site. */
export interface Mailer {
  /** False while no mail server is configured: then offer nothing that needs mail. */
  isReady(): boolean;
  /**
   * Resolves when the mail server has accepted the mail. Throws an AppError `refused`: `mail_not_set_up` if no server
   * is configured; `mail_failed` if it cannot be reached, rejects our login, or rejects this mail.
   */
  send(mail: Mail): Promise<void>;
}

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
   * Resolves when the mail server has taken the mail. Throws an AppError `refused`: `mail_not_set_up` when there is no
   * server, `mail_failed` when it cannot be reached, does not let us in, or does not take this mail.
   */
  send(mail: Mail): Promise<void>;
}

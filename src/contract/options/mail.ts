import { z } from 'zod';
import { issueKey } from '../text.ts';
import { flagOption, idOption, integerOption, textOption } from './option.ts';

/** A name, also one of this network without a dot, or an IP address. */
const HOST = /^(?:[^\s/@?#:\\[\]<>,"]+|[\da-f:.]+)$/i;
/** As mail servers take it, also `gate@localhost`; the name before it is the site's. */
const SENDER = /^[^\s@<>(),:;"\\[\]]+@[^\s@<>(),:;"\\]+$/;

const host = z
  .string()
  .trim()
  .max(253)
  .refine((value) => value === '' || HOST.test(value), issueKey('issue_host'));
const sender = z
  .string()
  .trim()
  .max(254)
  .refine((value) => value === '' || SENDER.test(value), issueKey('issue_email'));

/** The server that sends this site's mail. Port 465 is always TLS from the first byte. */
export const mailOptions = {
  SMTPServer: { ...textOption('', 'trust'), schema: host },
  SMTPPort: integerOption(587, 'trust', 1, 65_535),
  SMTPAccount: idOption(254),
  SMTPFrom: { ...textOption('', 'trust'), schema: sender },
  /** A password, which may begin and end with blanks. */
  SMTPToken: textOption('', 'trust', 4096, { secret: true }),
  SMTPSSLEnabled: flagOption('off', 'trust'),
};

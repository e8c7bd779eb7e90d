import { flagOption, integerOption, secretOption, textOption } from './option.ts';

/** The server that sends this site's mail. Port 465 is always TLS from the first byte. */
export const mailOptions = {
  SMTPServer: textOption('', 'mail', 253, { dangerous: true }),
  SMTPPort: integerOption(587, 'mail', 1, 65_535),
  SMTPAccount: textOption('', 'mail', 254),
  SMTPFrom: textOption('', 'mail', 254),
  SMTPToken: secretOption('mail'),
  SMTPSSLEnabled: flagOption(false, 'mail'),
};

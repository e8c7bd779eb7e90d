import { flagOption, integerOption, secretOption, textOption } from './option.ts';

/** The server that sends this site's mail. Port 465 is always TLS from the first byte. */
export const mailOptions = {
  SMTPServer: textOption('', 'trust', 253),
  SMTPPort: integerOption(587, 'trust', 1, 65_535),
  SMTPAccount: textOption('', 'trust', 254),
  SMTPFrom: textOption('', 'trust', 254),
  SMTPToken: secretOption(),
  SMTPSSLEnabled: flagOption(false, 'trust'),
};

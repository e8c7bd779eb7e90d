import { z } from 'zod';
import {
  oauthNames,
  type OauthName,
  type ServiceName,
  serviceNames,
  signInServices,
} from '../sign-in-services.ts';
import {
  addressOption,
  baseOption,
  flagOption,
  idOption,
  type Option,
  secretOption,
  textOption,
} from './option.ts';
import { commaList, headerText, issueKey } from '../text.ts';

type Services = typeof signInServices;
type Switch = Services[ServiceName]['options']['on'];
type Client = Services[OauthName]['options']['needs'][number];

const switches = Object.fromEntries(
  serviceNames.map((name) => {
    const { on, needs } = signInServices[name].options;
    return [on, flagOption('off', 'trust', needs)];
  }),
) as Record<Switch, Option<boolean>>;

const clients = Object.fromEntries(
  oauthNames.flatMap((name) => {
    const [id, secret] = signInServices[name].options.needs;
    return [
      [id, idOption()],
      [secret, secretOption()],
    ];
  }),
) as Record<Client, Option<string>>;

/** As people type lists: `@a.com; b.com`, one a line, with the wide commas of a Chinese keyboard. */
const domains = z
  .string()
  .max(20_000)
  .transform((list) => list.replaceAll(/[;；，、\s]/g, ',').replaceAll(/(?<=^|,)@/g, ''));
/** A star would stand for itself: every domain is named in full. */
const DOMAIN = /^[^@*/:]+$/;

/** Who may register and sign in, and with which services. */
export const signInOptions = {
  RegisterEnabled: flagOption('on', 'trust'),
  PasswordLoginEnabled: flagOption('on', 'trust'),
  PasswordRegisterEnabled: flagOption('on', 'trust'),
  /** While it is off, nobody can add a passkey or sign in with one; existing ones stay and work again later. */
  PasskeyLoginEnabled: flagOption('on', 'trust'),
  /** Without a mail server nobody gets a code, so nobody could register. */
  EmailVerificationEnabled: flagOption('off', 'trust', ['SMTPServer']),
  EmailDomainRestrictionEnabled: flagOption('off', 'trust', ['EmailDomainWhitelist']),
  EmailAliasRestrictionEnabled: flagOption('off', 'trust'),
  EmailDomainWhitelist: {
    ...textOption(
      'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
      'trust',
      20_000,
      {
        taken: domains.refine(
          (list) => commaList(list).every((one) => DOMAIN.test(one)),
          issueKey('issue_host'),
        ),
      },
    ),
    schema: domains,
  },
  ...switches,
  ...clients,
  WeChatServerAddress: baseOption('trust'),
  // Goes out in a header as it is.
  WeChatServerToken: { ...secretOption(), schema: z.string().trim().pipe(headerText(4096)) },
  WeChatAccountQRCodeImageURL: addressOption('trust'),
  TelegramBotToken: secretOption(),
  TelegramBotName: idOption(),
  TurnstileCheckEnabled: flagOption('off', 'trust', ['TurnstileSiteKey', 'TurnstileSecretKey']),
  TurnstileSiteKey: idOption(),
  TurnstileSecretKey: secretOption(),
  'oidc.well_known': addressOption('trust'),
  'oidc.authorization_endpoint': addressOption('trust'),
  'oidc.token_endpoint': addressOption('trust'),
  'oidc.user_info_endpoint': addressOption('trust'),
};

import {
  oauthNames,
  type OauthName,
  type ServiceName,
  serviceNames,
  signInServices,
} from '../sign-in-services.ts';
import { addressOption, baseOption, flagOption, type Option, secretOption, textOption } from './option.ts';
import { headerText } from '../text.ts';

type Services = typeof signInServices;
type Switch = Services[ServiceName]['options']['on'];
type Client = Services[OauthName]['options']['needs'][number];

const switches = Object.fromEntries(
  serviceNames.map((name) => {
    const { on, needs } = signInServices[name].options;
    return [on, flagOption(false, 'trust', needs)];
  }),
) as Record<Switch, Option<boolean>>;

const clients = Object.fromEntries(
  oauthNames.flatMap((name) => {
    const [id, secret] = signInServices[name].options.needs;
    return [
      [id, textOption('', 'trust')],
      [secret, secretOption()],
    ];
  }),
) as Record<Client, Option<string>>;

/** Who may register and sign in, and with which services. */
export const signInOptions = {
  RegisterEnabled: flagOption(true, 'trust'),
  PasswordLoginEnabled: flagOption(true, 'trust'),
  PasswordRegisterEnabled: flagOption(true, 'trust'),
  /** While it is off, nobody can add a passkey or sign in with one; existing ones stay and work again later. */
  PasskeyLoginEnabled: flagOption(true, 'trust'),
  EmailVerificationEnabled: flagOption(false, 'trust'),
  EmailDomainRestrictionEnabled: flagOption(false, 'trust', ['EmailDomainWhitelist']),
  EmailAliasRestrictionEnabled: flagOption(false, 'trust'),
  EmailDomainWhitelist: textOption(
    'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
    'trust',
    20_000,
  ),
  ...switches,
  ...clients,
  WeChatServerAddress: baseOption('trust'),
  // Goes out in a header as it is.
  WeChatServerToken: { ...secretOption(), schema: headerText(4096) },
  WeChatAccountQRCodeImageURL: addressOption('trust'),
  TelegramBotToken: secretOption(),
  TelegramBotName: textOption('', 'trust'),
  TurnstileCheckEnabled: flagOption(false, 'trust', ['TurnstileSiteKey', 'TurnstileSecretKey']),
  TurnstileSiteKey: textOption('', 'trust'),
  TurnstileSecretKey: secretOption(),
  'oidc.well_known': addressOption('trust'),
  'oidc.authorization_endpoint': addressOption('trust'),
  'oidc.token_endpoint': addressOption('trust'),
  'oidc.user_info_endpoint': addressOption('trust'),
};

import { inOneDirection } from './one-direction.ts';
import { channelMessages } from './messages/channel-messages.ts';
import { issueMessages } from './messages/issue-messages.ts';
import { logMessages } from './messages/log-messages.ts';
import { peopleMessages } from './messages/people-messages.ts';
import { proxyMessages } from './messages/proxy-messages.ts';
import { reconcileMessages } from './messages/reconcile-messages.ts';
import { relayMessages } from './messages/relay-messages.ts';
import { statementMessages } from './messages/statement-messages.ts';
import { walletMessages } from './messages/wallet-messages.ts';

/** Every message of the control plane, in both languages. Words in braces are filled in. */
export const messages = {
  ...issueMessages,
  ...logMessages,
  ...proxyMessages,
  ...peopleMessages,
  ...relayMessages,
  ...reconcileMessages,
  ...statementMessages,
  not_signed_in: {
    en: 'not logged in or expired, please log in again',
    zh: '未登录或登录已过期，请重新登录',
  },
  user_header: {
    en: 'the New-Api-User header is missing or is not the signed-in user, please log in again',
    zh: '请求头 New-Api-User 缺失或与登录用户不一致，请重新登录',
  },
  access_token_invalid: { en: 'invalid access token', zh: '系统访问令牌无效' },
  user_banned: { en: 'user banned', zh: '用户已被封禁' },
  role_too_low: { en: 'no permission to do this', zh: '无权进行此操作' },
  cross_site: {
    en: 'calls from another site are refused; a reverse proxy has to pass on the header Host as it came',
    zh: '拒绝来自其他站点的请求；反向代理须原样转发 Host 请求头',
  },
  demo_site: { en: 'demo site, no server', zh: '本站仅作演示之用，无服务端！' },
  too_many_requests: { en: 'too many requests, try later', zh: '请求次数过多，请稍后再试' },
  download_running: {
    en: 'a file of yours is still being sent: wait for its end, or cancel it',
    zh: '你还有一个文件正在导出，请等待完成或取消后再试',
  },
  downloads_full: {
    en: 'several files are being sent, try again in a moment',
    zh: '正在导出的文件较多，请稍后再试',
  },
  internal: {
    en: 'internal server error, contact admin (request id {id})',
    zh: '服务器内部错误，请联系管理员（请求 ID {id}）',
  },
  unavailable: { en: 'the server is busy, try again in a moment', zh: '服务器繁忙，请稍后重试' },
  no_such_call: { en: 'there is no such call: {method} {path}', zh: '没有这个接口：{method} {path}' },
  body_packed: { en: 'the body must not be compressed', zh: '请求体不能压缩' },
  json_only: { en: 'the body must be application/json', zh: '请求体必须是 application/json' },
  body_not_json: {
    en: 'invalid parameter: the body is not valid JSON',
    zh: '无效的参数：请求体不是合法的 JSON',
  },
  body_too_large: { en: 'the body is larger than {limit} bytes', zh: '请求体超过 {limit} 字节' },
  invalid_parameter: { en: 'invalid parameter {field}: {issue}', zh: '无效的参数 {field}：{issue}' },
  /** Where it is the whole that is wrong. */
  invalid_input: { en: 'invalid parameter: {issue}', zh: '无效的参数：{issue}' },
  unknown_field: { en: 'invalid parameter: unknown field {field}', zh: '无效的参数：未知字段 {field}' },

  setup_done: { en: 'the super admin exists already', zh: '超级管理员已存在，系统已初始化' },
  setup_secret_wrong: {
    en: 'this setup link is not valid, use the one the server printed last',
    zh: '初始化链接无效，请使用服务器最后一次输出的链接',
  },
  passwords_differ: { en: 'two passwords differ', zh: '两次输入的密码不一致' },
  password_too_short: { en: 'password length must not be under 8', zh: '密码长度不得小于 8 位！' },
  register_off: { en: 'registration is disabled by the administrator', zh: '注册已被管理员关闭' },
  password_register_off: {
    en: 'registration by password is disabled by the administrator',
    zh: '密码注册已被管理员关闭',
  },
  password_login_off: {
    en: 'login by password is disabled by the administrator',
    zh: '密码登录已被管理员关闭',
  },
  login_incomplete: { en: 'enter username and password', zh: '请输入用户名和密码！' },
  wrong_login: { en: 'username or password incorrect', zh: '用户名或密码错误' },
  name_taken: { en: 'this username or email is taken', zh: '用户名或邮箱已被占用' },
  invite_unknown: {
    en: 'no account has this invite code, correct it or leave it empty',
    zh: '邀请码不存在，请更正或留空',
  },
  wrong_password: { en: 'the current password is incorrect', zh: '原密码错误' },
  nothing_changed: { en: 'you seem not to have changed anything', zh: '你似乎并没有修改什么' },

  channel_missing: {
    en: 'channel not found, refresh the page and try again',
    zh: '渠道未找到，请刷新页面后重试。',
  },
  channel_name_and_key: { en: 'enter the channel name and key', zh: '请填写渠道名称和渠道密钥！' },
  channel_key_needed: { en: 'enter the key', zh: '请填写密钥' },
  channel_models_needed: { en: 'choose at least one model', zh: '请至少选择一个模型！' },
  channel_too_many_models: { en: 'at most {limit} models', zh: '最多 {limit} 个模型' },
  channel_model_too_long: {
    en: 'the name of a model has at most {limit} characters: {model}',
    zh: '模型名称最多 {limit} 个字符：{model}',
  },
  channel_too_many_keys: { en: 'at most {limit} keys at once', zh: '一次最多 {limit} 个密钥' },
  channel_mapping_json: {
    en: 'the model mapping must be valid JSON',
    zh: '模型映射必须是合法的 JSON 格式！',
  },
  channel_mapping_cycle: {
    en: 'the model mapping goes in a circle at {model}',
    zh: '模型映射在 {model} 处形成循环',
  },
  channel_one_key: { en: 'a saved channel has one key', zh: '已保存的渠道只能有一个密钥' },
  channel_unreadable: { en: 'the channel was not saved: {issue}', zh: '渠道未保存：{issue}' },
  channel_type_unknown: { en: 'unknown channel type {type}', zh: '未知的渠道类型 {type}' },
  channel_address_needed: {
    en: 'channels of type {type} have no default address: enter the base URL',
    zh: '类型 {type} 没有默认地址，请填写代理地址',
  },
  channel_account_needed: {
    en: 'channels of type {type} need the account ID in `other`',
    zh: '类型 {type} 必须填写账户 ID',
  },
  channel_bot_needed: {
    en: 'channels of type {type} need the bot ID in `other`',
    zh: '类型 {type} 必须填写机器人 ID',
  },
  channel_library_needed: {
    en: 'channels of type {type} need the library ID in `other`',
    zh: '类型 {type} 必须填写知识库 ID',
  },
  channel_address_bad: { en: 'the base URL is refused: {issue}', zh: '渠道地址不可用：{issue}' },
  channel_key_host: {
    en: 'the key is only ever sent to {host}: to change the address or type, enter the key again',
    zh: '密钥只会发送到 {host}：修改地址或类型时，请重新填写密钥',
  },
  channel_changed: {
    en: 'the channel keeps being changed by others: read it again, then change it',
    zh: '渠道正在被他人修改，请刷新后再操作',
  },
  channel_key_line: {
    en: 'line {line}: it is not clear which part is the key. Write the key alone, or a name, a comma and the key',
    zh: '第 {line} 行：无法判断哪一部分是密钥。请只写密钥，或写成“名称,密钥”',
  },
  channel_key_json: { en: 'the key must be a service account JSON', zh: '密钥必须是服务账号 JSON' },
  channel_untestable: { en: 'channels of this type cannot be tested', zh: '该类型的渠道不支持测试' },
  channel_models_unlisted: {
    en: 'upstreams of this type do not list their models',
    zh: '该类型的上游不提供模型列表',
  },
  upstream_said: { en: 'the upstream failed: {issue}', zh: '上游出错：{issue}' },
  models_not_listed: { en: 'could not get the model list: {issue}', zh: '获取模型列表失败：{issue}' },

  token_missing: { en: 'token not found', zh: '令牌不存在' },
  token_too_many: { en: 'at most {limit} tokens per user', zh: '每个用户最多 {limit} 个令牌' },
  token_group: { en: 'group {group} is not open to you', zh: '无权使用分组 {group}' },
  token_ips: { en: 'not an IP address or CIDR range: {line}', zh: '不是 IP 地址或 CIDR 网段：{line}' },
  token_enable_expired: {
    en: 'the token has expired: change its expiry first, or set it to never expire',
    zh: '令牌已过期，请先延长有效期或改为永不过期，再启用',
  },
  token_enable_exhausted: {
    en: 'the token has no quota left: raise its quota first, or set it to unlimited',
    zh: '令牌额度已用完，请先增加额度或改为无限额度，再启用',
  },

  data_span: { en: 'the time span is at most one month', zh: '时间跨度不能超过 1 个月' },
  data_channel_hours: {
    en: 'that is too much for one answer: name channels with ids, or take a shorter time',
    zh: '一次返回的数据过多，请用 ids 指定渠道，或缩短时间范围',
  },
  availability_private: {
    en: 'this site does not show how available its models are',
    zh: '本站未公开模型可用性',
  },
  ratios_private: {
    en: 'the price tables of this site are not published',
    zh: '倍率配置接口未启用',
  },
  update_unset: {
    en: 'no release address is set: there is nowhere to look',
    zh: '尚未设置发布信息地址，无法检查更新',
  },
  update_failed: { en: 'check for update failed', zh: '检查更新失败，请稍后再试' },
  option_unknown: { en: 'there is no option {key}', zh: '没有这个选项：{key}' },
  option_json: { en: 'option {key} was not saved: not a valid JSON string', zh: '不是合法的 JSON 字符串' },
  option_needs: {
    en: '{key} cannot be switched on: fill in {missing} first',
    zh: '无法启用 {key}，请先填写 {missing}！',
  },
  option_needed: {
    en: '{key} cannot be empty while {flag} is on: switch that off first',
    zh: '{flag} 启用时 {key} 不能为空，请先关闭 {flag}',
  },
  option_invalid: { en: 'option {key} was not saved: {issue}', zh: '选项 {key} 未保存：{issue}' },
  option_root_only: {
    en: 'only the super admin may set option {key}: it decides who signs in, where mail, money or secrets go, or whom to trust',
    zh: '选项 {key} 仅超级管理员可以修改：它决定谁能登录，邮件、资金与密钥发往何处，或信任哪些地址',
  },
  option_twice: { en: 'option {key} is named twice', zh: '选项 {key} 重复' },
  option_changed: {
    en: '{key} was not saved: somebody else has saved it meanwhile. Discard your change to see it, or save again to replace it',
    zh: '{key} 未保存：其他管理员刚刚修改过它。放弃修改可查看新值，再次保存则会覆盖',
  },
  changed_meanwhile: {
    en: 'not saved: somebody else has changed {fields} meanwhile. Open it again to see that, or save again to replace it',
    zh: '未保存：{fields} 刚刚被他人修改过。重新打开可查看新值，再次保存则会覆盖',
  },
  keeps_changing: {
    en: 'it keeps being changed by others: read it again, then change it',
    zh: '正在被他人修改，请刷新后再操作',
  },
  groups_in_use: {
    en: 'in use: {names} ({users} users, {tokens} tokens, {channels} channels). To remove them all the same, name them in remove_groups',
    zh: '分组正在使用：{names}（用户 {users}、令牌 {tokens}、渠道 {channels}）。仍要移除，请在 remove_groups 中写明',
  },
  groups_in_settings: {
    en: 'in use: {names} ({users} users, {tokens} tokens, {channels} channels, settings {settings}). To remove them: remove_groups',
    zh: '分组正在使用：{names}（用户 {users}、令牌 {tokens}、渠道 {channels}、选项 {settings}）。仍要移除，请在 remove_groups 中写明',
  },
  group_rename_default: {
    en: '{name} keeps its name: new accounts are in it',
    zh: '{name} 不能改名：新用户默认属于该分组',
  },
  group_rename_approval: {
    en: 'while prices need a second person, groups keep their names',
    zh: '价格变更需双人审批期间，分组不能改名',
  },
  group_rename_missing: { en: 'there is no group {from}', zh: '分组 {from} 不存在' },
  group_rename_exists: { en: 'there is a group {to} already', zh: '分组 {to} 已存在' },
  group_rename_used: {
    en: 'users, tokens or channels name {to} although there is no such group: move them first, they would join {from}',
    zh: '已有用户、令牌或渠道使用尚不存在的分组 {to}，改名后会并入 {from}，请先将其迁出',
  },
  options_busy: {
    en: 'the settings keep being changed by others: try again',
    zh: '设置正在被他人修改，请重试',
  },
  option_secret_again: {
    en: '{address} was not saved: {secret} goes only where it was entered for. Send it again in the same change, or empty it first',
    zh: '{address} 未保存：已保存的 {secret} 只会发往原来的地址。请在同一次修改中重新填写 {secret}，或先将其清空',
  },

  ...channelMessages,
  ...walletMessages,
} as const satisfies Record<string, Record<Language, string>>;

/** The supported languages; the first is the default of a site. Source: specification, states. */
export const languages = ['zh', 'en'] as const;
export type Language = (typeof languages)[number];
export type MessageKey = keyof typeof messages;

export const isMessageKey = (text: string): text is MessageKey => Object.hasOwn(messages, text);

/** A message to translate: its key and its values. */
export interface Phrase {
  readonly key: MessageKey;
  readonly values?: PhraseValues;
}

/** The values of a message; a value may itself be a message. */
export interface PhraseValues {
  readonly [name: string]: string | number | Phrase;
}

const GAP = /\{(\w+)(?::(\w+)\|(\w+))?\}/g;

/** Translates a message and fills in its values. `{count:code|codes}` is the first word where `count` is 1, else the second. */
export const say = (key: MessageKey, language: Language, values: PhraseValues = {}): string =>
  messages[key][language].replace(GAP, (gap, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (one !== undefined && many !== undefined) return Math.abs(Number(value)) === 1 ? one : many;
    if (typeof value === 'object') return sayPhrase(value, language);
    return inOneDirection(String(value ?? gap));
  });

export const sayPhrase = ({ key, values }: Phrase, language: Language): string => say(key, language, values);

/** The preferred supported language of an `Accept-Language` (RFC 9110, 12.5.4); `other` where it names none. */
export const languageOf = (acceptLanguage: string | undefined, other: Language): Language => {
  let [best, bestWeight] = [other, 0];
  for (const range of (acceptLanguage ?? '').toLowerCase().split(',', RANGES_MAX)) {
    const [tag = '', ...rest] = range.split(';');
    const language = languages.find((one) => tag.trim().split('-')[0] === one);
    const weight = weightOf(rest);
    if (language !== undefined && weight > bestWeight) [best, bestWeight] = [language, weight];
  }
  return best;
};

/** More than any browser sends. */
const RANGES_MAX = 50;

const weightOf = (parameters: readonly string[]): number => {
  const weight = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='));
  return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
};

/** The relay's own errors, translated for the playground; programs get English. */
export const relayMessages = {
  relay_group_closed: { en: 'group {group} is not open to you', zh: '分组 {group} 未对你开放' },
  relay_group_gone: { en: 'group {group} no longer exists', zh: '分组 {group} 已不存在' },
  relay_auto_closed: { en: 'no group of auto is open to you', zh: 'auto 中没有对你开放的分组' },
  relay_words: { en: 'sensitive words detected', zh: '检测到敏感词' },
  relay_no_price: {
    en: 'the price of model {model} is not set, ask the administrator to set it',
    zh: '模型 {model} 的价格尚未设置，请联系管理员设置',
  },
  relay_no_channel: {
    en: 'no available channels for model {model} in group {groups}',
    zh: '分组 {groups} 下模型 {model} 无可用渠道',
  },
  relay_no_model: {
    en: 'the model {model} does not exist in group {groups} or is not open to you{near}',
    zh: '分组 {groups} 下没有模型 {model}，或未对你开放{near}',
  },
  relay_near_models: { en: '; similar models: {models}', zh: '；名称相近的有：{models}' },
  relay_short: {
    en: 'insufficient user quota: at least {asked} is held while this call runs, the account has {left}{held}. {remedy}',
    zh: '用户额度不足：本次调用至少预扣 {asked}，账户余额为 {left}{held}。{remedy}',
  },
  relay_remedy: {
    en: 'Top up {where}, or ask for fewer output tokens',
    zh: '请{where}充值，或减少输出 Token 数',
  },
  relay_held_more: {
    en: ', and {units} more is held by calls that are running',
    zh: '，另有 {units} 被正在进行的调用占用',
  },
  relay_wallet_page: { en: 'on the page Wallet of the console', zh: '在控制台的“钱包”页面' },
  relay_wallet_at: { en: 'at {address}/topup', zh: '前往 {address}/topup ' },
  relay_restarting: { en: 'the server is restarting, try again', zh: '服务器正在重启，请重试' },
} as const;

/** Sentences about the site: its prices, its numbers, its contents. */
export const siteMessages = {
  data_span: { en: 'the time span is at most one month', zh: '时间跨度不能超过 1 个月' },
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
  option_invalid: { en: 'option {key} was not saved: {issue}', zh: '选项 {key} 未保存：{issue}' },
  option_root_only: {
    en: 'option {key} is the super admin’s: it decides who gets in, where mail, money or secrets go, or which addresses are believed',
    zh: '选项 {key} 仅超级管理员可以修改：它决定谁能登录，邮件、资金与密钥发往何处，或信任哪些地址',
  },
  option_twice: { en: 'option {key} is named twice', zh: '选项 {key} 重复' },
  option_secret_again: {
    en: '{address} was not saved: {secret} goes only where it was entered for. Send it again in the same change, or empty it first',
    zh: '{address} 未保存：已保存的 {secret} 只会发往原来的地址。请在同一次修改中重新填写 {secret}，或先将其清空',
  },
} as const;

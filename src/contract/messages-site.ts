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
} as const;

/** Messages on codes, top-ups and clearing logs. */
export const walletMessages = {
  redemption_missing: { en: 'redemption code not found', zh: '兑换码不存在' },
  redemption_used: {
    en: 'a redeemed code can be neither changed nor switched on',
    zh: '已使用的兑换码不能修改或启用',
  },
  redemption_off: {
    en: 'this code is switched off: switch it on to change it',
    zh: '兑换码已禁用，请先启用再修改',
  },
  redemption_status: {
    en: 'a code becomes used by being redeemed, not by hand',
    zh: '兑换码只能通过兑换变为已使用',
  },
  redemption_past: { en: 'the expiry must be later than now', zh: '过期时间必须晚于现在' },
  redeem_needed: { en: 'enter a redemption code', zh: '请输入兑换码！' },
  redeem_refused: { en: 'invalid or used redemption code', zh: '兑换失败，兑换码无效或已被使用' },
  redeem_expired: { en: 'this redemption code has expired', zh: '兑换失败，该兑换码已过期' },
  quota_overflow: { en: 'the balance would be too large', zh: '余额将超出上限' },

  price_draft_missing: { en: 'there is no such draft any more', zh: '该草稿已不存在' },
  price_draft_due: {
    en: 'this draft is scheduled: cancel its schedule to change it',
    zh: '该草稿已定时发布，请先取消定时再修改',
  },
  statement_missing: { en: 'there is no statement for this month', zh: '该月份没有账单' },
  statement_of_one: {
    en: 'a statement is of a token or of a tag, not of both',
    zh: '账单只能按令牌或按标签，不能同时指定',
  },
  statement_not_finished: {
    en: 'the statement is issued an hour after the month ends (UTC)',
    zh: '账单在该月结束一小时后出具（UTC）',
  },
  usage_link_missing: { en: 'there is no such link', zh: '该链接不存在' },
  usage_link_past: { en: 'the expiry must be later than now', zh: '过期时间必须晚于现在' },
  usage_link_too_many: { en: 'a token has at most {limit} links', zh: '每个令牌最多 {limit} 个链接' },
  usage_link_ended: { en: 'this link is not valid, or not any more', zh: '链接无效或已失效' },
  receipt_missing: { en: 'there is no receipt of this call', zh: '该调用没有收据' },
  proof_of_account: {
    en: 'only the statement of a whole account has proofs',
    zh: '只有整个账户的账单可以附带证明',
  },
  seal_running: {
    en: 'a seal is being made: try again in a moment',
    zh: '正在封存，请稍后再试',
  },
  seal_key_damaged: {
    en: 'the key {key} that signs seals and receipts is damaged: the operator has to bring it back from a backup, or begin with a new one',
    zh: '用于封存与收据签名的密钥 {key} 已损坏：需由站点运营者从备份恢复，或启用全新的密钥',
  },
  seal_key_sound: {
    en: 'the key that signs is not damaged: rotate it instead, so that it signs the new one',
    zh: '签名密钥没有损坏：请改用更换密钥，由它为新密钥签名',
  },
  price_version_missing: { en: 'there is no such version', zh: '该版本不存在' },
  price_preview_missing: {
    en: 'this preview has expired: start it again',
    zh: '该预览已过期，请重新开始',
  },
  price_list_failed: { en: 'the list could not be read: {issue}', zh: '无法读取价格表：{issue}' },
  price_nothing: { en: 'this changes no price', zh: '没有任何价格变化' },
  price_time_past: { en: 'the time must be later than now', zh: '发布时间必须晚于现在' },
  price_not_asked: {
    en: 'this draft does not wait for an approval any more',
    zh: '该草稿已不在等待审批',
  },
  price_own_change: {
    en: 'you had a part in this change: another admin has to approve it',
    zh: '你参与编写了此变更，须由其他管理员批准',
  },
  price_writers_unknown: {
    en: 'it is not known who wrote this draft, which is from an earlier version: make a new one',
    zh: '该草稿来自旧版本，无法确定编写者：请新建草稿',
  },
  price_asker_barred: {
    en: 'whoever asked for this approval may not make this change any more: another admin has to ask for it',
    zh: '提交审批者已无权进行此变更，须由其他管理员重新提交',
  },
  price_approval_off: {
    en: 'prices do not need a second person now: publish the draft',
    zh: '当前价格变更无需双人审批，请直接发布',
  },
  price_time_passed: {
    en: 'its time has passed: approve it to be published at once, or reject it',
    zh: '预定时间已过：请批准立即发布，或驳回',
  },
  price_settings_changed: {
    en: 'a setting that this changes has been changed meanwhile: make it again',
    zh: '其中的设置已被修改，请重新提交',
  },
  price_apart: {
    en: 'prices need a second person: save these apart from other settings: {keys}',
    zh: '价格变更需双人审批，请将以下设置单独保存：{keys}',
  },
  price_one_admin: {
    en: 'nobody else could approve: make a second admin first',
    zh: '没有其他管理员可以审批：请先添加第二位管理员',
  },
  price_reason_settings: { en: 'saved in the settings', zh: '在设置中保存' },
  price_reason_list: { en: 'changed in the price list', zh: '在价格列表中修改' },
  price_reason_group: { en: 'a group was renamed', zh: '分组改名' },
  notice_prices_asked_title: {
    en: 'A change of prices waits for your approval',
    zh: '有价格变更等待你审批',
  },
  notice_prices_asked_text: {
    en: '{author} asks for the approval of a change of prices: {reason}. It is in the price book.',
    zh: '{author} 提交了价格变更审批：{reason}。请在价格簿中处理。',
  },
  notice_prices_late_title: {
    en: 'A change of prices was due and is not approved',
    zh: '有价格变更已到时间但未获批准',
  },
  notice_prices_late_text: {
    en: 'A change of prices by {author} was due and is not published, as no other admin has approved it: {reason}.',
    zh: '{author} 的价格变更已到预定时间，因未获其他管理员批准而未发布：{reason}。请在价格簿中处理。',
  },
  notice_prices_approved_title: { en: 'Your change of prices was approved', zh: '你的价格变更已获批准' },
  notice_prices_approved_text: {
    en: '{name} has approved the change of prices: {reason}. {words}',
    zh: '{name} 批准了价格变更：{reason}。{words}',
  },
  notice_prices_rejected_title: { en: 'Your change of prices was rejected', zh: '你的价格变更被驳回' },
  notice_prices_rejected_text: {
    en: '{name} has rejected the change of prices: {reason}. {words}',
    zh: '{name} 驳回了价格变更：{reason}。{words}',
  },
  price_schedule_due: {
    en: '{count} {count:draft|drafts} due later: say whether to keep or cancel them',
    zh: '有 {count} 个草稿等待定时发布，请选择保留或取消',
  },

  top_up_off: {
    en: 'the administrator has not switched on online top-up',
    zh: '管理员未开启在线充值！',
  },
  top_up_least: { en: 'at least {least} must be topped up', zh: '充值数量不能小于 {least}' },
  top_up_most: { en: 'the amount is too large', zh: '充值数量过大' },
  top_up_cheap: { en: 'the amount to pay is too small', zh: '充值金额过低' },
  pay_methods_wrong: {
    en: 'the payment methods are not configured correctly, contact the administrator',
    zh: '支付方式配置错误, 请联系管理员',
  },
  pay_method_unknown: { en: 'there is no such way to pay', zh: '支付方式不存在' },
  order_failed: { en: 'the order could not be made, try again', zh: '创建订单失败' },

  reset_off: {
    en: 'the administrator has not set up a mail server and the address of this site',
    zh: '管理员尚未配置邮件服务器与服务器地址，无法重置密码',
  },
  reset_refused: {
    en: 'the reset link is invalid or has expired',
    zh: '重置链接非法或已过期',
  },
  log_clear_when: { en: 'choose up to when logs are cleared', zh: '请选择日志清除时间' },
  log_clear_running: {
    en: 'logs are being cleared already',
    zh: '日志清理正在进行，请稍候',
  },
} as const;

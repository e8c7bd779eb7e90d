/** Texts of log and wallet rows. They are stored by key and shown in the reader's language. */
export const logMessages = {
  log_setup: { en: 'starting quota of the super admin', zh: '超级管理员初始额度' },
  log_rescue: {
    en: 'the super admin was let in again from the command line',
    zh: '已通过命令行恢复超级管理员的登录',
  },
  log_new_user: { en: 'quota for a new user', zh: '新用户注册赠送额度' },
  log_invitee: { en: 'quota for using an invite code', zh: '使用邀请码赠送额度' },
  log_inviter: { en: 'earnings for inviting user {id}', zh: '邀请用户 {id} 获得收益' },
  log_transfer: { en: 'invite earnings transferred to the balance', zh: '邀请收益划转到余额' },
  log_demo_quota: { en: 'demo quota', zh: '演示额度' },
  log_quota_by: { en: 'quota changed by {admin}', zh: '管理员 {admin} 修改额度' },
  log_quota_delta: { en: '{reason}: by {units} {units:unit|units}', zh: '{reason}：变动 {units}' },
  log_quota_set: {
    en: '{reason}: from {before} to {after} {after:unit|units}',
    zh: '{reason}：由 {before} 改为 {after}',
  },
  log_rest_kept: {
    en: 'what a running call had left when the quota was set',
    zh: '设置额度时未结束的调用退回的剩余部分',
  },
  log_redeemed: { en: 'redeemed code {id} ({name})', zh: '兑换码充值：兑换码 {id}（{name}）' },
  log_topped_up: {
    en: 'topped up online, order {order}, {money} paid by {method}',
    zh: '在线充值成功：订单 {order}，支付金额 {money}，支付方式 {method}',
  },

  log_codes_made: {
    en: 'made {count} redemption {count:code|codes} "{name}" of {units} {units:unit|units} each',
    zh: '生成 {count} 个兑换码“{name}”，每个额度 {units}',
  },
  log_code_changed: {
    en: 'changed redemption code {id} ({name}): {fields}',
    zh: '修改兑换码 {id}（{name}）：{fields}',
  },
  log_code_on: { en: 'enabled redemption code {id} ({name})', zh: '启用兑换码 {id}（{name}）' },
  log_code_off: { en: 'disabled redemption code {id} ({name})', zh: '禁用兑换码 {id}（{name}）' },
  log_code_deleted: { en: 'deleted redemption code {id} ({name})', zh: '删除兑换码 {id}（{name}）' },
  log_codes_cleared: {
    en: 'deleted {count} redemption {count:code|codes} that could not be redeemed any more',
    zh: '删除 {count} 个已失效的兑换码',
  },
  log_prices_scheduled: {
    en: 'scheduled a change of prices for {time}: {reason}',
    zh: '安排于 {time} 变更价格：{reason}',
  },
  log_prices_unscheduled: {
    en: 'cancelled the change of prices scheduled for {time}: {reason}',
    zh: '取消原定于 {time} 的价格变更：{reason}',
  },
  log_seal_key: { en: 'made key {key}, which signs seals from now on', zh: '生成新的签名密钥 {key}' },
  log_prices: {
    en: 'published version {version} of the prices: {reason}',
    zh: '发布价格版本 {version}：{reason}',
  },
  log_prices_conflict: {
    en: 'a change of prices that was due was not published, what it changes was changed before: {reason}',
    zh: '定时的价格变更未发布，相关价格已被修改：{reason}',
  },
  log_prices_barred: {
    en: 'a change of prices that was due was not published, whoever scheduled it may not set prices any more: {reason}',
    zh: '定时的价格变更未发布，安排者已无权设置价格：{reason}',
  },
  log_prices_used: {
    en: 'a change of prices that was due was not published, it removes groups that are in use: {reason}',
    zh: '定时的价格变更未发布，将移除的分组仍在使用：{reason}',
  },
  log_prices_late: {
    en: 'a change of prices that was due was not published, no other admin has approved it: {reason}',
    zh: '定时的价格变更未发布，尚无其他管理员批准：{reason}',
  },
  log_prices_asked: {
    en: 'asked for the approval of a change of prices: {reason}',
    zh: '提交价格变更审批：{reason}',
  },
  log_prices_approved: {
    en: 'approved a change of prices by {author}: {reason}. {words}',
    zh: '批准 {author} 的价格变更：{reason}。{words}',
  },
  log_prices_rejected: {
    en: 'rejected a change of prices by {author}: {reason}. {words}',
    zh: '驳回 {author} 的价格变更：{reason}。{words}',
  },
  log_prices_taken_back: {
    en: 'took back a change of prices that waited for an approval: {reason}',
    zh: '撤回待审批的价格变更：{reason}',
  },
  log_second_person_off: {
    en: 'switched off on the server that prices need a second person',
    zh: '已在服务器上关闭价格变更的双人审批',
  },
  log_usage_link_made: {
    en: 'made link {id} to the usage of token {token}',
    zh: '创建令牌 {token} 的用量链接 {id}',
  },
  log_usage_link_revoked: {
    en: 'revoked link {id} to the usage of token {token}',
    zh: '撤销令牌 {token} 的用量链接 {id}',
  },
  log_option: { en: 'changed option {key}', zh: '修改选项 {key}' },
  log_group_renamed: {
    en: 'renamed group {from} to {to}: users {users}, tokens {tokens}, channels {channels}; prices version {version}',
    zh: '分组 {from} 改名为 {to}，价格版本 {version}（用户 {users}、令牌 {tokens}、渠道 {channels}）',
  },
  log_cleared: {
    en: 'cleared {count} log {count:row|rows} from before {time}',
    zh: '清除 {time} 之前的日志 {count} 条',
  },
  log_user_created: { en: 'created user {name}', zh: '创建用户 {name}' },
  log_user_enable: { en: 'enabled user {name} ({id})', zh: '启用用户 {name}（{id}）' },
  log_user_disable: { en: 'disabled user {name} ({id})', zh: '禁用用户 {name}（{id}）' },
  log_user_delete: { en: 'closed the account of {name} ({id})', zh: '注销用户 {name}（{id}）' },
  log_user_promote: { en: 'promoted user {name} ({id}) to admin', zh: '将用户 {name}（{id}）提升为管理员' },
  log_user_demote: { en: 'demoted admin {name} ({id})', zh: '将管理员 {name}（{id}）降为普通用户' },
  log_user_two_step: {
    en: 'reset two-step sign-in and passkeys of user {name} ({id})',
    zh: '重置用户 {name}（{id}）的两步验证与通行密钥',
  },
  log_user_changed: {
    en: 'changed user {name} ({id}): {fields}',
    zh: '修改用户 {name}（{id}）：{fields}',
  },
  log_user_password: { en: 'set a new password for user {name}', zh: '为用户 {name} 设置新密码' },

  log_channel_created: { en: 'created channel {ids}: {name}', zh: '创建渠道 {ids}：{name}' },
  log_channel_changed: { en: 'changed channel {id}: {fields}', zh: '修改渠道 {id}：{fields}' },
  log_channel_keys_added: {
    en: 'added {count} {count:key|keys} to channel {id}',
    zh: '为渠道 {id} 添加 {count} 个密钥',
  },
  log_channel_keys_deleted: {
    en: 'deleted {count} {count:key|keys} of channel {id}: {keys}',
    zh: '删除渠道 {id} 的 {count} 个密钥：{keys}',
  },
  log_channel_keys_on: {
    en: 'enabled {count} {count:key|keys} of channel {id}: {keys}',
    zh: '启用渠道 {id} 的 {count} 个密钥：{keys}',
  },
  log_channel_keys_off: {
    en: 'switched off {count} {count:key|keys} of channel {id}: {keys}',
    zh: '停用渠道 {id} 的 {count} 个密钥：{keys}',
  },
  log_channel_key_changed: {
    en: 'changed key {key} of channel {id}: {fields}',
    zh: '修改渠道 {id} 的密钥 {key}：{fields}',
  },
  log_channel_pool_mode: {
    en: 'channel {id} chooses among its keys: {mode}',
    zh: '渠道 {id} 的密钥选择方式：{mode}',
  },
  log_channel_deleted: { en: 'deleted channel {id}', zh: '删除渠道 {id}' },
  log_channel_copied: { en: 'copied channel {id} to {copy}', zh: '复制渠道 {id} 为 {copy}' },
  log_channels_deleted: {
    en: 'deleted {count} {count:channel|channels}: {ids}',
    zh: '删除 {count} 个渠道：{ids}',
  },
  log_channels_cleaned: {
    en: 'deleted {count} disabled {count:channel|channels}',
    zh: '删除 {count} 个已禁用的渠道',
  },
  log_channels_tagged: { en: 'tagged {ids}: {tag}', zh: '为渠道 {ids} 设置标签：{tag}' },
  log_channels_untagged: { en: 'untagged channels {ids}', zh: '移除渠道 {ids} 的标签' },
  log_channels_read: { en: 'read all channels again', zh: '重新读取所有渠道' },
  log_tag_on: { en: 'enabled the channels of tag {tag}', zh: '启用标签 {tag} 的渠道' },
  log_tag_off: { en: 'disabled the channels of tag {tag}', zh: '禁用标签 {tag} 的渠道' },
  log_tag_changed: {
    en: 'changed the channels of tag {tag}: {fields}',
    zh: '修改标签 {tag} 的渠道：{fields}',
  },

  log_call_returned: {
    en: 'call {id} was interrupted before it was sent; the hold was given back',
    zh: '调用 {id} 在发出前中断，预扣额度已退还',
  },
  log_call_charged: {
    en: 'call {id} was interrupted; charged {units} {units:unit|units}, the rest of the hold was given back',
    zh: '调用 {id} 中断，已扣除 {units}，其余预扣额度已退还',
  },
  log_interrupted: {
    en: 'interrupted; charged what was used until then',
    zh: '调用中断，已按中断前的用量扣费',
  },
  log_price_call: {
    en: 'model price {price}, group ratio {group}',
    zh: '模型价格 {price}，分组倍率 {group}',
  },
  log_price_tokens: {
    en: 'model ratio {model}, completion ratio {completion}, group ratio {group}',
    zh: '模型倍率 {model}，补全倍率 {completion}，分组倍率 {group}',
  },
} as const;

/** What is said about accounts, sign-in and personal settings. */
export const peopleMessages = {
  mail_not_set_up: { en: 'the administrator has not set up a mail server', zh: '管理员尚未配置邮件服务器' },
  mail_failed: { en: 'the mail was not sent: {issue}', zh: '邮件发送失败：{issue}' },
  mail_not_sent: {
    en: 'the mail could not be sent, try later or tell the administrator',
    zh: '邮件发送失败，请稍后再试或联系管理员',
  },
  mail_server_private: {
    en: 'the mail server is on this machine or in this network; TOLLGATE_ALLOW_PRIVATE_MAIL=true allows that',
    zh: '邮件服务器位于本机或内网，需设置 TOLLGATE_ALLOW_PRIVATE_MAIL=true 才能使用',
  },

  email_taken: { en: 'this email address is taken', zh: '该邮箱已被占用' },
  email_domain: {
    en: 'addresses of this email domain may not register; allowed are {domains}',
    zh: '该邮箱的域名不在白名单中，允许的域名：{domains}',
  },
  email_alias: {
    en: 'email addresses with "+" or "." before the @ may not register',
    zh: '不允许使用邮箱别名（@ 之前含有“+”或“.”）',
  },
  email_needed: { en: 'enter an email address', zh: '请输入邮箱地址' },
  code_wrong: { en: 'the verification code is wrong or has expired', zh: '验证码错误或已过期' },
  code_too_soon: {
    en: 'a code was sent a moment ago, wait {seconds} {seconds:second|seconds}',
    zh: '验证码刚刚发送过，请等待 {seconds} 秒后再试',
  },
  human_check_failed: {
    en: 'human verification failed, refresh the page and try again',
    zh: '人机验证失败，请刷新页面后重试',
  },
  human_check_away: {
    en: 'human verification failed: its service does not answer, try again later',
    zh: '人机验证失败：验证服务没有响应，请稍后再试',
  },
  transfer_too_small: { en: 'the minimum transfer is {minimum}', zh: '划转额度最低为 {minimum}' },
  transfer_too_large: { en: 'the invite earnings are not enough', zh: '邀请收益余额不足' },
  webhook_address: {
    en: 'the webhook address is refused: {issue}',
    zh: 'Webhook 地址不可用：{issue}',
  },
  webhook_secret_again: {
    en: 'the stored secret goes only to the address it was entered for: enter it again, or remove it',
    zh: '已保存的凭证只会发往原来的地址：请重新填写，或移除凭证',
  },
  webhook_secret_damaged: {
    en: 'the stored secret of the webhook cannot be decrypted: enter it again',
    zh: '已保存的 webhook 密钥无法解密，请重新填写',
  },
  webhook_https: {
    en: 'the webhook address must start with https://',
    zh: 'Webhook 地址必须以 https:// 开头',
  },
  fresh_password_needed: {
    en: 'confirm with your password first',
    zh: '此操作需要先验证密码',
  },
  session_needed: {
    en: 'an access token cannot do this: sign in and confirm with your password',
    zh: '系统访问令牌不能执行此操作，请登录并验证密码',
  },
  wrong_username: { en: 'the username does not match', zh: '输入的用户名与当前账户不一致' },
  session_missing: { en: 'this session has ended already', zh: '该会话已结束' },

  user_not_readable: {
    en: 'no permission to read users at the same or higher level',
    zh: '无权查看同级或更高等级的用户',
  },
  user_not_updatable: {
    en: 'no permission to update users at the same or higher level',
    zh: '无权更新同级或更高等级的用户',
  },
  user_not_deletable: {
    en: 'no permission to delete users at the same or higher level',
    zh: '无权删除同级或更高等级的用户',
  },
  user_missing: { en: 'there is no such user', zh: '用户不存在' },
  user_rank_too_high: {
    en: 'cannot create users at or above own level',
    zh: '无法创建等级不低于自己的用户',
  },
  promote_needs_root: {
    en: 'a regular admin cannot promote users to admin',
    zh: '普通管理员无法将用户提升为管理员',
  },
  root_not_disabled: { en: 'the super admin cannot be disabled', zh: '无法封禁超级管理员' },
  root_not_deleted: { en: 'the super admin cannot be deleted', zh: '无法删除超级管理员' },
  root_not_demoted: { en: 'the super admin cannot be demoted', zh: '无法降级超级管理员' },
  user_is_admin: { en: 'this user is an admin already', zh: '该用户已经是管理员' },
  user_is_no_admin: { en: 'this user is not an admin', zh: '该用户已经是普通用户' },
  user_group: { en: 'there is no group {group}', zh: '没有分组 {group}' },
  user_is_gone: { en: 'this account has been closed', zh: '该用户已注销' },
  quota_below_zero: {
    en: 'the quota cannot go below zero: {available} is available',
    zh: '额度不能为负：当前可用 {available}',
  },
  quota_stale: {
    en: 'the balance has changed since it was read: read it again, then set it',
    zh: '读取之后额度已变化，请刷新后再设置',
  },
  quota_too_large: { en: 'the quota would be too large', zh: '额度过大' },

  provider_off: {
    en: 'signing in with {provider} is disabled by the administrator',
    zh: '管理员未开启通过 {provider} 登录',
  },
  provider_failed: {
    en: '{provider} did not confirm who you are: {issue}',
    zh: '{provider} 未能确认你的身份：{issue}',
  },
  state_wrong: {
    en: 'this sign-in was not started here, or too long ago: begin again',
    zh: '登录请求无效或已过期，请重新开始',
  },
  identity_taken: {
    en: 'this {provider} account is linked to another user',
    zh: '该 {provider} 账户已被其他用户绑定',
  },
  identity_unbound: {
    en: 'this {provider} account is not linked to any user',
    zh: '该 {provider} 账户尚未绑定用户',
  },
  identity_last: {
    en: 'this is your last way to sign in: set a password first',
    zh: '这是你最后一种登录方式，请先设置密码',
  },
  wechat_code_wrong: { en: 'the WeChat code is wrong or has expired', zh: '微信验证码错误或已过期' },

  second_factor_wrong: { en: 'the code is wrong', zh: '动态验证码或备用码错误' },
  second_factor_on: { en: 'two-step sign-in is on already', zh: '两步验证已启用' },
  second_factor_damaged: {
    en: 'the secret of your app cannot be decrypted: use a backup code, or ask an administrator to turn two-step sign-in off',
    zh: '身份验证器的密钥无法解密：请使用备用码，或请管理员关闭两步验证',
  },
  second_factor_off: { en: 'two-step sign-in is not on', zh: '两步验证未启用' },
  two_step_none: {
    en: 'this user has neither two-step sign-in nor passkeys',
    zh: '该用户未启用两步验证，也没有通行密钥',
  },
  passkey_off: {
    en: 'passkeys are disabled by the administrator',
    zh: '管理员未开启通行密钥',
  },
  passkey_address: {
    en: 'passkeys need a site with a name of its own, over https: this is {address}',
    zh: '通行密钥需要通过 https 和域名访问本站，当前地址为 {address}',
  },
  passkey_wrong: {
    en: 'the passkey was not confirmed: {issue}',
    zh: '通行密钥验证失败：{issue}',
  },
  passkey_unknown: { en: 'this passkey is not known here', zh: '该通行密钥未在本站登记' },
  passkey_taken: { en: 'this passkey is registered already', zh: '该通行密钥已被登记' },
  passkey_full: { en: 'there can be at most {most} passkeys', zh: '最多可添加 {most} 个通行密钥' },
  passkey_missing: { en: 'this passkey does not exist', zh: '该通行密钥不存在' },
  ticket_over: { en: 'this took too long, sign in again', zh: '操作超时，请重新登录' },

  // What was wrong with a proof of who somebody is: the part of a sentence that says why.
  proof_unreadable: { en: 'the answer cannot be read', zh: '无法读取应答' },
  proof_not_genuine: { en: 'the answer is not genuine', zh: '应答不真实' },
  proof_signature: { en: 'the signature is wrong', zh: '签名错误' },
  proof_copied: {
    en: 'its counter went back, so it may have been copied: remove it and add a new one',
    zh: '计数器倒退，通行密钥可能已被复制：请删除后重新添加',
  },
  proof_used_twice: { en: 'it was used twice at once', zh: '同时被使用了两次' },
  proof_no_answer: { en: 'no answer', zh: '没有应答' },
  proof_over: { en: 'the answer is not valid any more', zh: '应答已失效' },
} as const;

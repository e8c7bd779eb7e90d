/** What can be wrong with a value; each completes "invalid parameter {field}: …". */
export const issueMessages = {
  issue_at: { en: '{where}: {issue}', zh: '{where}：{issue}' },
  issue_text: { en: 'must be a text', zh: '必须是文本' },
  issue_number: { en: 'must be a number', zh: '必须是数字' },
  issue_whole: { en: 'must be a whole number', zh: '必须是整数' },
  issue_flag: { en: 'must be true or false', zh: '必须是 true 或 false' },
  issue_list: { en: 'must be a list', zh: '必须是列表' },
  issue_object: { en: 'must be a JSON object', zh: '必须是 JSON 对象' },
  issue_unwanted: { en: 'must not be given', zh: '不应提供' },
  issue_text_map: { en: 'must be a JSON object of strings', zh: '必须是值为字符串的 JSON 对象' },
  issue_star_last: { en: 'a star may only be at its end', zh: '中的星号只能在末尾' },
  issue_tool: {
    en: 'no tool that upstreams charge for is called so; write {tools}, or one with a model behind a colon',
    zh: '不是收费工具，可用：{tools}，或在其后用冒号加模型名称',
  },
  issue_twice: { en: 'the name {name} is given twice', zh: '名称 {name} 出现了两次' },
  issue_no_name: { en: 'nothing can have the name {name}', zh: '不能使用名称 {name}' },
  issue_one_of: { en: 'must be one of {values}', zh: '必须是以下之一：{values}' },
  issue_most: { en: 'must be at most {bound}', zh: '不能大于 {bound}' },
  issue_least: { en: 'must be at least {bound}', zh: '不能小于 {bound}' },
  issue_below: { en: 'must be less than {bound}', zh: '必须小于 {bound}' },
  issue_above: { en: 'must be more than {bound}', zh: '必须大于 {bound}' },
  issue_characters_most: { en: 'must have at most {bound} characters', zh: '不能超过 {bound} 个字符' },
  issue_characters_least: { en: 'must have at least {bound} characters', zh: '不能少于 {bound} 个字符' },
  issue_items_most: { en: 'must have at most {bound} items', zh: '不能超过 {bound} 项' },
  issue_items_least: { en: 'must have at least {bound} items', zh: '不能少于 {bound} 项' },
  issue_empty: { en: 'must not be empty', zh: '不能为空' },
  issue_step: { en: 'must be a multiple of {step}', zh: '必须是 {step} 的倍数' },
  issue_form: { en: 'does not have the right form', zh: '格式不正确' },
  issue_name: { en: 'the name: {issue}', zh: '名称{issue}' },
  issue_unknown_field: { en: 'unknown field {field}', zh: '未知字段 {field}' },
  issue_or: { en: '{one} or {other}', zh: '{one}，或者{other}' },
  issue_one_of_two: {
    en: 'exactly one of {one} and {other} must be given',
    zh: '{one} 与 {other} 必须且只能填写一个',
  },
  issue_steps_rise: { en: 'must begin after the step before it', zh: '必须高于前一档' },
  issue_no_excess: {
    en: 'must not be given where only the tokens beyond a step are charged',
    zh: '按超出部分计费时不应提供',
  },
  issue_zone: {
    en: 'must be an IANA time zone, such as Europe/Berlin',
    zh: '必须是 IANA 时区，例如 Asia/Shanghai',
  },
  issue_name_taken: { en: 'is the name of another one in the list', zh: '与列表中的另一项重名' },
  issue_least_above_most: {
    en: 'must not be less than {least}, which is {bound}',
    zh: '不能小于 {least} 的值 {bound}',
  },
  issue_cached_of_prompt: { en: 'must not be more than prompt', zh: '不能大于 prompt' },
  issue_price_or_ratios: {
    en: 'must not be given together with ratios',
    zh: '不能与倍率同时提供',
  },
  issue_invalid: { en: 'is not valid', zh: '不合法' },
  issue_nul: { en: 'must not contain NUL', zh: '不能包含 NUL 字符' },
  issue_header: {
    en: '{sign} at character {place} cannot be sent to an upstream: only the letters, digits and signs of ASCII can',
    zh: '第 {place} 个字符 {sign} 无法发送给上游：只能使用英文字母、数字和英文标点',
  },
  issue_in_address: {
    en: '{sign} at character {place} is not part of an address',
    zh: '第 {place} 个字符 {sign} 不能出现在地址中',
  },
  issue_spaces: { en: 'must not contain spaces', zh: '不能包含空格' },
  issue_unseen: { en: 'must not contain invisible characters', zh: '不能包含不可见的字符' },
  issue_username: {
    en: 'must not contain @ or invisible characters',
    zh: '不能包含 @ 或不可见的字符',
  },
  issue_scripts: {
    en: 'must not mix letters of scripts that look alike, or signs of rare scripts',
    zh: '不能混用外形相似的不同文字，也不能使用罕见文字',
  },
  issue_group_name: {
    en: 'must have no comma, no line break and no space at its ends, and must not be auto',
    zh: '不能包含逗号或换行，首尾不能有空格，也不能是 auto',
  },
  issue_group_unknown: { en: 'there is no group {name}', zh: '没有分组 {name}' },
  issue_needs_group: {
    en: 'the group {name} cannot be left out: new accounts are in it',
    zh: '不能去掉分组 {name}：新用户都在其中',
  },
  issue_quota_per_unit: {
    en: 'must be more than 0: prices and amounts are calculated with it',
    zh: '必须大于 0：价格和充值金额都按它换算',
  },
  issue_exchange_rate: {
    en: 'must be more than 0: balances in CNY are divided by it',
    zh: '必须大于 0：人民币余额按它换算',
  },
  issue_email: { en: 'must be an email address', zh: '必须是邮箱地址' },
  issue_http_address: { en: 'must be an http or https address', zh: '必须是 http 或 https 地址' },
  issue_host: {
    en: 'must be a host name such as smtp.example.com, without https:// and port',
    zh: '必须是主机名，不含协议、端口和路径',
  },
  issue_base64url: { en: 'must be base64url', zh: '必须是 base64url 编码' },

  address_refused: {
    en: 'the address of the upstream is not allowed',
    zh: '不允许访问该上游地址',
  },
  address_not_url: { en: 'the address is not a URL', zh: '地址不是合法的 URL' },
  address_scheme: {
    en: 'the address must begin with http:// or https://',
    zh: '地址必须以 http:// 或 https:// 开头',
  },
  address_credentials: {
    en: 'the address must not hold a user name or password',
    zh: '地址中不能包含用户名或密码',
  },
  address_query: { en: 'the address must not hold ? or #', zh: '地址中不能包含 ? 或 #' },
  address_no_host: { en: 'the address has no host', zh: '地址缺少主机名' },
  address_metadata: {
    en: 'the address is where a cloud tells its machines their keys',
    zh: '该地址是云平台的元数据服务，不能使用',
  },
  webhook_private: {
    en: 'the address is not on the public internet; TOLLGATE_ALLOW_PRIVATE_WEBHOOKS=true allows that',
    zh: '地址不在公共互联网上，需设置 TOLLGATE_ALLOW_PRIVATE_WEBHOOKS=true 才能使用',
  },
  address_private: {
    en: 'the address is not on the public internet; TOLLGATE_ALLOW_PRIVATE_UPSTREAMS=true allows that',
    zh: '地址不在公共互联网上，需设置 TOLLGATE_ALLOW_PRIVATE_UPSTREAMS=true 才能使用',
  },
} as const;

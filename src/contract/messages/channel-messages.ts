/** Messages on bulk changes and maintenance of channels. */
export const channelMessages = {
  channel_key_damaged: {
    en: 'the stored key of channel {id} cannot be decrypted: enter it again',
    zh: '渠道 {id} 已保存的密钥无法解密，请重新填写',
  },
  channel_group_of_rule: {
    en: 'setting.overrides: there is no group {group}',
    zh: '渠道设置 overrides 中的分组不存在：{group}',
  },
  channel_version_bad: {
    en: 'the API version may only have letters, digits, dots and dashes',
    zh: 'API 版本只能包含字母、数字、点与短横线',
  },
  channel_model_path: {
    en: 'the name of a model may not have . or .. between slashes: it stands in the address',
    zh: '模型名称中不能以 . 或 .. 作为路径的一段',
  },
  channel_batch_empty: { en: 'choose the channels to delete first', zh: '请先选择要删除的通道！' },
  channel_tag_none_chosen: {
    en: 'choose the channels to tag first',
    zh: '请先选择要设置标签的渠道！',
  },
  channel_tag_empty: { en: 'the tag must not be empty', zh: '标签不能为空！' },
  channel_tag_unchanged: { en: 'nothing was changed', zh: '没有任何修改！' },
  channel_tag_missing: { en: 'no channel has the tag {tag}', zh: '没有渠道使用标签 {tag}' },
  channel_priority_integer: { en: 'the priority must be a whole number', zh: '优先级必须是整数！' },
  channel_weight_natural: {
    en: 'the weight must be a whole number, 0 or more',
    zh: '权重必须是非负整数！',
  },
  channel_status_codes: {
    en: 'status codes map from 400–599 to 400–599',
    zh: '状态码映射须为 400–599 到 400–599',
  },
  channel_setting_unknown: {
    en: 'setting: there is no field {name}; there are {known}',
    zh: '渠道设置没有字段 {name}，可用字段：{known}',
  },
  channel_setting_unoffered: {
    en: 'setting: {name} is not offered here; leave it out or set it to false',
    zh: '渠道设置不支持 {name}，请删除或设为 false',
  },
  channel_setting_value: {
    en: 'setting: the value of {name} does not fit: {issue}',
    zh: '渠道设置中 {name} 的值不合法：{issue}',
  },
  channel_header_override: {
    en: 'header_override is not offered here; write its headers as rules: setting.overrides',
    zh: '不支持在此覆盖请求头，请改用渠道设置中的请求头规则',
  },
  channel_json_name: { en: '{field}: {issue}', zh: '{field}：{issue}' },
  channel_override_path: {
    en: 'parameter override: {name} would be sent as a field of that very name; write nested objects as objects',
    zh: '参数覆盖：{name} 会被当作同名字段发送，嵌套字段请写成嵌套的对象',
  },
  channel_override_realtime: {
    en: 'This channel has realtime models only: a conversation has no body, so rules of the body and parameter overrides would do nothing.',
    zh: '该渠道只有实时模型：会话没有请求体，请求体规则和参数覆盖不会生效。',
  },
  channel_override_field: {
    en: 'parameter override: {name} cannot be set',
    zh: '参数覆盖：不能设置 {name}',
  },
  channel_override_number: {
    en: 'parameter override: the value of {name} is no number of tokens or answers that a request can ask for',
    zh: '参数覆盖：{name} 的值不是请求可以使用的 Token 数或回复数',
  },
  override_path: {
    en: 'a path has up to 12 names or indexes with dots between them, a name first; __proto__ and names with $ first are not allowed',
    zh: '路径由 1 至 12 个名称或下标以点连接而成，* 表示每一项；须以名称开头，不能使用原型名称或以 $ 开头的名称',
  },
  override_deciding: {
    en: 'this field decides what is sold or how the answer is read, so no override may change it; the model belongs in the model mapping',
    zh: '该字段决定计费内容或回复的读取方式，不能被覆盖；模型请在模型映射中设置',
  },
  override_number: {
    en: 'must be a whole number: 1 to 128 answers, 1 to 10,000,000 tokens; null removes the limit',
    zh: '须为整数：回复数 1 至 128，Token 数 1 至 10,000,000；null 表示不设限制',
  },
  override_stars: {
    en: 'a pattern has at most 4 stars, and no two of them side by side',
    zh: '模式最多包含 4 个星号，且星号不能相邻',
  },
  override_header_name: {
    en: 'a header has a name of letters, digits, dots, dashes and underscores; only what is passed on may end in a star',
    zh: '请求头名称只能包含字母、数字、点、短横线与下划线；仅“透传”可以以星号结尾',
  },
  override_header_fixed: {
    en: 'this header belongs to the connection or proves who sends the request: no override may touch it',
    zh: '该请求头属于连接本身或用于证明身份，不能被覆盖',
  },
  override_header_value: {
    en: 'the value of a header is 1 to 4096 printable ASCII characters without line breaks',
    zh: '请求头的值须为 1 至 4096 个可打印 ASCII 字符，不能包含换行',
  },
  override_realtime: {
    en: 'a realtime conversation has no body that a rule could change',
    zh: '实时会话没有可供规则修改的请求体',
  },
  override_pass_header: { en: 'only headers are passed on', zh: '只有请求头可以透传' },
  override_value: { en: 'is missing', zh: '缺失' },
  override_value_deep: {
    en: 'is nested too deep, or has a name of the prototype',
    zh: '嵌套过深，或包含原型名称',
  },
  override_find: { en: 'is missing: the text to replace', zh: '缺失：请填写要替换的内容' },
  channel_mapping_pattern: {
    en: 'a mapping takes whole names, and * for any characters (up to 4, not side by side): {model} is neither',
    zh: '映射只支持完整名称以及表示任意字符的 *（最多 4 个且不相邻）：{model} 不符合',
  },
  channel_mapping_stars: {
    en: 'the target of {model} has more stars than the name itself',
    zh: '{model} 的目标中星号比来源多，没有可以代入的内容',
  },
  channel_mapping_length: {
    en: 'a mapping has names of at most 255 characters: {model}',
    zh: '映射中的名称最多 255 个字符：{model}',
  },
  aliases_circle: {
    en: 'the names go in a circle',
    zh: '这些名称形成了循环',
  },
  aliases_pattern: {
    en: 'an alias is a whole name, or has up to 4 stars, no two side by side, and no other sign of a pattern',
    zh: '别名须为完整名称，或最多包含 4 个不相邻的星号，不能使用其他模式符号',
  },
  aliases_stars: {
    en: 'what an alias stands for has no more stars than the alias',
    zh: '别名目标中的星号不能多于别名本身',
  },
  channel_setting_bad: {
    en: 'in the settings of a channel timeouts are 1,000 to 3,600,000 ms and system_prompt is a text',
    zh: '渠道设置中超时须为 1000 至 3600000 毫秒的整数，system_prompt 须为文本',
  },
  channel_balance_none: {
    en: 'upstreams of this type do not report their balance',
    zh: '该类型的渠道不支持查询余额',
  },
  channel_balance_failed: { en: 'could not get the balance: {issue}', zh: '获取余额失败：{issue}' },
  channel_prices_none: {
    en: 'upstreams of this type do not tell their prices',
    zh: '该类型的渠道不支持读取价格',
  },
  channel_prices_failed: { en: 'could not get the prices: {issue}', zh: '读取价格失败：{issue}' },
  channel_round_running: {
    en: 'this is already running in the background',
    zh: '测试已在运行中',
  },
  channel_balances_running: {
    en: 'balances are being updated already',
    zh: '余额更新已在运行中',
  },
  channel_balance_gone: { en: 'no balance left', zh: '余额不足' },
  channel_too_slow: {
    en: 'the test took {seconds} s, more than the limit of {limit} s',
    zh: '测试用时 {seconds} 秒，超过上限 {limit} 秒',
  },
  notice_disabled_title: {
    en: 'Channel "{name}" (#{id}) was disabled',
    zh: '通道「{name}」（#{id}）已被禁用',
  },
  notice_disabled_text: {
    en: 'Channel "{name}" (#{id}) was disabled. Reason: {reason}',
    zh: '通道「{name}」（#{id}）已被禁用，原因：{reason}',
  },
  channel_key_refused_elsewhere: {
    en: 'the same key was refused in channel #{id}: {reason}',
    zh: '同一密钥在渠道 #{id} 中被拒绝：{reason}',
  },
  channel_no_key_left: { en: 'no key is left', zh: '没有可用的密钥' },
  channel_key_missing: { en: 'the channel has no such key', zh: '该渠道没有此密钥' },
  channel_keys_which: { en: 'name the keys to change', zh: '请指明是哪些密钥' },
  channel_key_taken: { en: 'the channel has this key already', zh: '该渠道已有此密钥' },
  channel_key_last: {
    en: 'a channel keeps its last key: replace it, or delete the channel',
    zh: '渠道至少保留一个密钥：请更换密钥或删除渠道',
  },
  channel_region_bad: { en: 'not a region of Vertex AI: {region}', zh: '不是 Vertex AI 的区域：{region}' },
  channel_plugin_sign: { en: '`other`: {issue}', zh: '插件参数：{issue}' },
  channel_key_sign: { en: 'the key in line {line}: {issue}', zh: '第 {line} 行的密钥：{issue}' },
  channel_model_sign: {
    en: 'the model name {model} has {sign} at character {place}, which no upstream understands; names are separated by commas',
    zh: '模型名 {model} 的第 {place} 个字符是 {sign}，上游无法识别；模型名之间请用逗号分隔',
  },
  channel_keys_full: {
    en: 'a channel has at most {limit} keys',
    zh: '每个渠道最多 {limit} 个密钥',
  },
  channel_keys_none_new: {
    en: 'the channel has all of these keys already',
    zh: '这些密钥该渠道均已存在',
  },
  channel_keys_single: {
    en: 'this channel has one key: add a second one first',
    zh: '该渠道只有一个密钥，请先添加第二个',
  },
  notice_key_title: {
    en: 'A key of channel "{name}" (#{id}) was switched off',
    zh: '通道「{name}」（#{id}）的一个密钥已停用',
  },
  notice_key_text: {
    en: 'Key {key} of channel "{name}" (#{id}) was switched off; its other keys go on. Reason: {reason}',
    zh: '通道「{name}」（#{id}）的密钥 {key} 已停用，其余密钥继续使用。原因：{reason}',
  },
  notice_loss_title: {
    en: '{model} is sold below cost',
    zh: '{model} 低于成本出售',
  },
  notice_loss_text: {
    en: 'Channel "{name}" (#{id}) costs more for {model} than group {group} pays for it.',
    zh: '通道「{name}」（#{id}）的 {model} 成本高于分组 {group} 的售价。',
  },
  notice_enabled_title: {
    en: 'Channel "{name}" (#{id}) was enabled',
    zh: '通道「{name}」（#{id}）已被启用',
  },
  notice_enabled_text: {
    en: 'Channel "{name}" (#{id}) works again and was enabled.',
    zh: '通道「{name}」（#{id}）恢复正常，已被启用。',
  },
  notice_quota_title: { en: 'Your balance is low', zh: '额度不足提醒' },
  notice_quota_text: {
    en: 'Your balance is {left}, below the value you set for a warning. Please top up.{where}',
    zh: '你的剩余额度为 {left}，已低于预警值，请及时充值。{where}',
  },
  notice_tested_title: { en: 'All channels were tested', zh: '通道测试完成' },
  notice_tested_text: {
    en: '{total} {total:channel|channels} tested, {failed} failed.',
    zh: '共测试 {total} 个通道，其中 {failed} 个失败。',
  },
} as const;

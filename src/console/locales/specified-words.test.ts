import { expect, it } from 'vitest';
import type { Area } from '../lib/text/areas.ts';

/** What the console says in Chinese, word by word. Source: specification, validation rules and errors. */
const specified: Readonly<Partial<Record<Area, Readonly<Record<string, string>>>>> = {
  common: {
    'error.refresh': '刷新失败：{{message}}',
    'dialog.copyByHand': '无法复制到剪贴板，请手动复制',
  },
  enter: { 'wechat.about': '微信扫码关注公众号，输入「验证码」获取验证码（三分钟内有效）' },
  personal: { 'wechat.about': '微信扫码关注公众号，输入「验证码」获取验证码（三分钟内有效）' },
  settings: {
    'save.failed': '保存失败，请重试',
    'save.partly': '部分保存失败，请重试',
    'save.nothing': '你似乎并没有修改什么',
    'wrong.number': '请输入数字',
    'wrong.json': '不是合法的 JSON 字符串',
    'visual.nameExists': '模型名称已存在',
    'visual.chooseFirst': '请先选择需要批量设置的模型',
    'visual.bothNeeded': '请输入模型倍率和补全倍率',
    'visual.numberNeeded': '请输入有效的数字',
    'visual.fillNeeded': '请输入填充值',
  },
  channels: { copyFailed: '渠道复制失败：{{message}}' },
  'channel-more': {
    'form.fetchFailed': '获取模型列表失败：{{message}}',
    'form.sentTwice': '提交失败，请勿重复提交！',
    'invalid.nameAndKey': '请填写渠道名称和渠道密钥！',
    'invalid.models': '请至少选择一个模型！',
    'invalid.mapping': '模型映射必须是合法的 JSON 格式！',
    'invalid.duplicate': '某些模型已存在！',
    'invalid.key': '请填写密钥',
    'invalid.priority': '优先级必须是整数！',
    'invalid.weight': '权重必须是非负整数！',
    'batch.tagNone': '请先选择要设置标签的渠道！',
    'batch.tagEmpty': '标签不能为空！',
  },
  tokens: { 'invalid.expiry': '过期时间格式错误！', 'batch.needed': '请至少选择一个令牌！' },
  redemption: { needed: '请至少选择一个兑换码！' },
  topup: {
    'redeem.needed': '请输入兑换码！',
    'redeem.noLink': '超级管理员未设置充值链接！',
    'online.least': '充值数量不能小于 {{least}}',
    'online.off': '管理员未开启在线充值！',
    'online.wrong': '支付方式配置错误, 请联系管理员',
    'online.amountFailed': '错误：{{message}}',
  },
  chat: {
    wrongLink: '聊天链接配置错误，请联系管理员',
    noLink: '请联系管理员配置聊天链接',
    noToken: '当前没有可用的启用令牌，请确认是否有令牌处于启用状态！',
  },
};

const files = import.meta.glob<{ default: unknown }>('./zh/*.json', { eager: true });

const textAt = (area: string, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((texts, step) => Object(texts)[step] as unknown, files[`./zh/${area}.json`]?.default);

it.each(Object.entries(specified))('%s has the specified text', (area, texts) => {
  expect(Object.fromEntries(Object.keys(texts).map((path) => [path, textAt(area, path)]))).toEqual(texts);
});

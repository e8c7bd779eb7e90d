import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 16,
    name: 'Zhipu',
    reference: 'docs.bigmodel.cn, chat completions; error codes',
    chat: '/api/paas/v4/chat/completions',
    usage: 'last-piece',
    thoughts: 'reasoning_content',
    badKey: { status: 401, body: { error: { code: '1000', message: '身份验证失败' } } },
    rateLimit: { status: 429, body: { error: { code: '1302', message: '您当前使用该API的并发数过高' } } },
  }),
  lookAlike({
    type: 26,
    name: 'Zhipu v4',
    reference: 'docs.bigmodel.cn, chat completions; error codes',
    chat: '/api/paas/v4/chat/completions',
    usage: 'last-piece',
    // An empty account is refused with the status of a rate limit.
    badKey: { status: 429, body: { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } } },
    rateLimit: { status: 429, body: { error: { code: '1305', message: '该模型当前访问量过大' } } },
  }),
];

export const otherPaths: OtherPaths = {
  16: under('/api/paas/v4', 'embeddings', 'images', 'speech', 'transcriptions', 'moderations', 'rerank'),
  26: under('/api/paas/v4', 'embeddings', 'images', 'speech', 'transcriptions', 'moderations', 'rerank'),
};

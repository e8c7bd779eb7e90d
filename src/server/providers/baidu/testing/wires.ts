import type { OtherPaths } from '../../testing/other-paths.ts';
import { events, json, type Question, TEXT, type Wire, WORDS } from '../../testing/wire.ts';

const COUNTS = { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 };

export const wires: readonly Wire[] = [
  {
    type: 15,
    name: 'Baidu',
    reference: 'cloud.baidu.com/doc/WENXINWORKSHOP, access_token, ERNIE, error codes',
    key: 'api-key|secret-key',
    model: 'ERNIE-4.0-8K',
    before: { path: '/oauth/2.0/token', body: { access_token: '24.t', expires_in: 2_592_000 } },
    chat: '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro?access_token=24.t',
    headers: {},
    asks: { messages: [{ role: 'user', content: 'Is all well?' }], max_output_tokens: 100 },
    answer: ({ stream }: Question) => {
      const end = { is_truncated: false, need_clear_history: false, usage: COUNTS };
      if (!stream) return json({ id: 'as-1', result: TEXT, finish_reason: 'normal', ...end });
      const isLast = (at: number) => at === WORDS.length - 1;
      return events(
        ...WORDS.map((result, at) => ({ id: 'as-1', sentence_id: at, is_end: isLast(at), result, ...end })),
      );
    },
    offersTools: false,
    tellsUsage: true,
    badKey: { status: 200, body: { error_code: 110, error_msg: 'Access token invalid or no longer valid' } },
    rateLimit: { status: 200, body: { error_code: 18, error_msg: 'Open api qps request limit reached' } },
  },
];

export const otherPaths: OtherPaths = {
  15: { embeddings: '/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/m?access_token=24.t' },
};

import { describe, expect, test } from 'vitest';
import type { Egress } from '../../../dialects/dialect.ts';
import { aiproxy } from '../../aiproxy/aiproxy.ts';
import { baidu } from '../../baidu/baidu.ts';
import { converse } from '../../bedrock/converse.ts';
import { cohereChat } from '../../cohere/cohere.ts';
import { coze } from '../../coze/coze.ts';
import { dify } from '../../dify/dify.ts';
import { tencentChat } from '../../tencent/tencent-chat.ts';

/** By format, its shortest answers: one that ended without a word is an answer, too. */
const formats: Readonly<Record<string, { format: Pick<Egress, 'tapWhole'>; answers: readonly object[] }>> = {
  Cohere: {
    format: cohereChat,
    answers: [{ finish_reason: 'MAX_TOKENS' }, { message: { content: [{ type: 'text', text: 'Hi' }] } }],
  },
  Converse: {
    format: converse,
    answers: [{ stopReason: 'max_tokens' }, { output: { message: { content: [{ text: 'Hi' }] } } }],
  },
  Tencent: {
    format: tencentChat,
    answers: [{ Response: { Choices: [{ FinishReason: 'stop', Message: { Content: '' } }] } }],
  },
  Baidu: { format: baidu.dialect, answers: [{ result: '' }, { result: 'Hi' }] },
  'AI Proxy': { format: aiproxy.dialect, answers: [{ success: true, answer: '' }, { answer: 'Hi' }] },
  Dify: { format: dify.dialect, answers: [{ answer: '' }, { answer: 'Hi' }] },
  Coze: {
    format: coze.dialect,
    answers: [{ events: [{ event: 'conversation.chat.completed', data: {} }] }],
  },
};

describe.each(Object.entries(formats))('a whole answer of %s', (_, { format, answers }) => {
  test.each([[{}], [{ choices: [] }], [{ unheard: 'of' }]])('is no answer if it says nothing: %j', (body) => {
    expect(format.tapWhole(body).error).toMatchObject({
      code: 'upstream_failed',
      message: 'the upstream answered with nothing',
    });
  });

  test.each(answers)('is an answer if it says or ends anything: %j', (answer) => {
    expect(format.tapWhole(answer).error).toBeUndefined();
  });
});

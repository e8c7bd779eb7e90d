import { expect, it } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import { writeFrame } from './sse.ts';

/** Beside its model, an answer tells the id by which its upstream's bill may name it. */

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const ownUsage = { input_tokens: 3, output_tokens: 2 };
const response = { id: 'the-id', model: 'm', status: 'completed', output: [], usage: ownUsage };

/** A whole answer, and the frame of a stream that has the same. */
const answers: Readonly<Record<DialectName, readonly [object, object]>> = {
  'openai-chat': [
    { id: 'the-id', model: 'm', choices: [], usage },
    { id: 'the-id', model: 'm', choices: [], usage },
  ],
  'openai-responses': [response, { type: 'response.completed', response }],
  'anthropic-messages': [
    { id: 'the-id', type: 'message', model: 'm', content: [], usage: ownUsage },
    { type: 'message_start', message: { id: 'the-id', model: 'm', usage: ownUsage } },
  ],
  gemini: [
    { responseId: 'the-id', modelVersion: 'm', usageMetadata: { promptTokenCount: 3 } },
    { responseId: 'the-id', modelVersion: 'm', usageMetadata: { promptTokenCount: 3 } },
  ],
};

it.each(Object.entries(answers))('%s, whole and streamed', (name, [whole, frame]) => {
  const { tap, tapWhole } = chatDialects[name as DialectName];
  expect(tapWhole(whole)).toMatchObject({ model: 'm', replyId: 'the-id' });
  expect(tap(writeFrame(JSON.stringify(frame)))).toMatchObject({ model: 'm', replyId: 'the-id' });
});

it('an id that is none or endless is not kept', () => {
  for (const id of [7, '', 'x'.repeat(121), undefined])
    expect(chatDialects['openai-chat'].tapWhole({ id, model: 'm', usage })).not.toHaveProperty('replyId');
});

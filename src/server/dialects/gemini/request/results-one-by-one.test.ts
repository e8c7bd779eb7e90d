import { expect, test } from 'vitest';
import { anthropicMessages } from '../../anthropic-messages/anthropic-messages.ts';
import { writeRequest } from './write-request.ts';

/** Google refuses a turn of results that does not answer all calls of the turn before. */

const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
const call = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });

test('results that a user gives one by one are one turn, and what is said next another', () => {
  const request = anthropicMessages.readRequest({
    model: 'm',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [result('a', '1')] },
      { role: 'user', content: [result('b', '2'), { type: 'text', text: 'Quick.' }] },
      { role: 'user', content: 'Well?' },
    ],
  });
  const answer = (id: string, output: string) => ({
    functionResponse: { id, name: 'f', response: { output } },
  });
  expect(writeRequest(request)['contents']).toMatchObject([
    { role: 'user' },
    { role: 'model' },
    { role: 'user', parts: [answer('a', '1'), answer('b', '2'), { text: 'Quick.' }] },
    { role: 'user', parts: [{ text: 'Well?' }] },
  ]);
});

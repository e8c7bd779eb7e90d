import { expect, it } from 'vitest';
import { limitChat } from './limit-output.ts';

it.each([
  [{}, { max_tokens: 300 }],
  [{ max_tokens: 900 }, { max_tokens: 300 }],
  [{ max_tokens: 200 }, { max_tokens: 200 }],
  [{ max_completion_tokens: 900 }, { max_completion_tokens: 300 }],
  [
    { max_tokens: null, max_completion_tokens: 90 },
    { max_tokens: null, max_completion_tokens: 90 },
  ],
  [{ max_new_tokens: 900 }, { max_new_tokens: 300, max_tokens: 300 }],
  [{ max_new_tokens: 90 }, { max_new_tokens: 90, max_tokens: 300 }],
  [{ max_new_tokens: -1 }, { max_new_tokens: 300, max_tokens: 300 }],
  [{ max_new_tokens: 'all' }, { max_new_tokens: 300, max_tokens: 300 }],
  [{ min_tokens: 1 }, { min_tokens: 1, max_tokens: 300 }],
  [{ options: { num_predict: -2 } }, { options: { num_predict: 300 }, max_tokens: 300 }],
])('of %j no more than 300 tokens may come, whichever word is read', (asked, sent) => {
  expect(limitChat(asked, 300, 'set')).toEqual(sent);
});

/** A minimal chat answer: 10 tokens read, 5 written. */
export const PLAIN_ANSWER = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

const event = (fields: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`;

/** The first event of `PLAIN_STREAM`. */
export const FIRST_WORD = event({
  choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: null }],
});

/** A minimal chat stream: 10 tokens read, 5 written. */
export const PLAIN_STREAM = `${FIRST_WORD}${event({
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
})}data: [DONE]\n\n`;

/** Answers in the upstreams' formats. */

export const USAGE = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
const chatReply = (text: string) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: USAGE,
});
const messagesReply = (text: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 5, output_tokens: 5 },
});
const geminiReply = (text: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
});
export const responsesReply = (text: string, more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
  ...more,
});

/** A whole reply in the format of a path. */
export const replyAt = (path: string, text: string): object => {
  if (path.includes('/messages')) return messagesReply(text);
  if (path.includes('/responses')) return responsesReply(text);
  return path.includes('v1beta') ? geminiReply(text) : chatReply(text);
};

export const event = (value: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`;
export const named = (type: string, value: object): string => event({ type, ...value }, type);

const chunk = (delta: object, finish: string | null = null) =>
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

/** The pieces of a stream in the format of a path. */
export const streamAt = (path: string, texts: Iterable<string>): Buffer => {
  if (path.includes('/messages')) {
    const start = { ...messagesReply(''), content: [], stop_reason: null };
    return Buffer.from(
      [
        named('message_start', { message: start }),
        named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
        ...Array.from(texts, (text) =>
          named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
        ),
        named('content_block_stop', { index: 0 }),
        named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }),
        named('message_stop', {}),
      ].join(''),
    );
  }
  if (path.includes('v1beta'))
    return Buffer.from(Array.from(texts, (text) => event(geminiReply(text))).join(''));
  if (path.includes('/responses')) {
    const deltas = Array.from(texts, (delta) =>
      named('response.output_text.delta', { item_id: 'msg_1', output_index: 0, delta }),
    );
    const begun = { response: responsesReply('', { status: 'in_progress' }) };
    const over = { response: responsesReply(Array.from(texts).join('')) };
    return Buffer.from(
      [named('response.created', begun), ...deltas, named('response.completed', over)].join(''),
    );
  }
  const usage = event({ ...chatReply(''), object: 'chat.completion.chunk', choices: [] });
  const pieces = Array.from(texts, (content) => chunk({ role: 'assistant', content }));
  return Buffer.from([...pieces, chunk({}, 'stop'), usage, 'data: [DONE]\n\n'].join(''));
};

import { asJson, asList, event, sendJson, startStream, type Call, type Json } from '../wire.ts';

const WORDS = ['All', ' is', ' well', '.'];

/** An event with a name. */
const named = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const streamed = (call: Call, events: readonly string[]): void => {
  startStream(call.response);
  call.response.end(events.join(''));
};

/** Dify, "Send chat message" (docs.dify.ai). */
export const answerDify = (call: Call): void => {
  const { body, response } = call;
  const head = { message_id: 'm-1', conversation_id: 'c-1', task_id: 't-1', created_at: 1_767_225_600 };
  if (typeof body['query'] !== 'string' || typeof body['user'] !== 'string')
    return sendJson(response, 400, {
      code: 'invalid_param',
      message: 'query and user are required',
      status: 400,
    });
  const usage = {
    prompt_tokens: 11,
    completion_tokens: 4,
    total_tokens: 15,
    total_price: '0.001',
    currency: 'USD',
  };
  if (body['response_mode'] === 'blocking')
    return sendJson(response, 200, {
      event: 'message',
      ...head,
      mode: 'chat',
      answer: WORDS.join(''),
      metadata: { usage, retriever_resources: [] },
    });
  streamed(call, [
    event({ event: 'workflow_started', ...head, data: {} }),
    ...WORDS.map((answer) => event({ event: 'message', ...head, answer })),
    named('ping', ''),
    event({ event: 'message_end', ...head, metadata: { usage } }),
  ]);
};

/** Coze, "Initiate a chat", version 3 (coze.cn/open/docs). */
export const answerCoze = (call: Call): void => {
  const { body, response } = call;
  if (typeof body['bot_id'] !== 'string' || body['bot_id'] === '')
    return sendJson(response, 200, { code: 4000, msg: 'The parameter bot_id is invalid.' });
  const chat = { id: 'chat-1', conversation_id: 'c-1', bot_id: body['bot_id'] };
  const message = { ...chat, id: 'm-1', chat_id: 'chat-1', role: 'assistant', content_type: 'text' };
  streamed(call, [
    named('conversation.chat.created', { ...chat, status: 'created' }),
    ...WORDS.map((content) => named('conversation.message.delta', { ...message, type: 'answer', content })),
    named('conversation.message.completed', { ...message, type: 'answer', content: WORDS.join('') }),
    named('conversation.message.completed', { ...message, type: 'verbose', content: '{}' }),
    named('conversation.chat.completed', {
      ...chat,
      status: 'completed',
      usage: { token_count: 15, output_count: 4, input_count: 11 },
    }),
    named('done', '"[DONE]"'),
  ]);
};

/** AI Proxy, questions to a library (docs.aiproxy.io). */
export const answerLibrary = (call: Call): void => {
  const { body, response } = call;
  const documents = [{ title: 'Handbook', url: 'https://docs.example/handbook' }];
  if (body['libraryId'] !== 'library-1')
    return sendJson(response, 200, {
      success: false,
      errCode: 'library_not_found',
      message: 'no such library',
    });
  if (body['stream'] !== true)
    return sendJson(response, 200, {
      success: true,
      errCode: '',
      message: '',
      answer: WORDS.join(''),
      documents,
    });
  streamed(call, [
    ...WORDS.map((content) => event({ content, finish: false, model: call.model })),
    event({ content: '', finish: true, model: call.model, documents }),
  ]);
};

/** Baidu, the token of an application (cloud.baidu.com/doc/WENXINWORKSHOP, access_token). */
export const answerBaiduToken = (call: Call): void => {
  const query = new URL(call.request.url ?? '/', 'http://simulator').searchParams;
  const isKnown = query.get('client_id') === 'api-key' && query.get('client_secret') === 'secret-key';
  if (!isKnown || query.get('grant_type') !== 'client_credentials')
    return sendJson(call.response, 401, {
      error: 'invalid_client',
      error_description: 'unknown client id',
    });
  sendJson(call.response, 200, { access_token: '24.simulated', expires_in: 2_592_000, scope: 'public' });
};

/** Baidu, chat of the first version (cloud.baidu.com/doc/WENXINWORKSHOP, ERNIE). */
export const answerBaidu = (call: Call): void => {
  const { body, response } = call;
  const query = new URL(call.request.url ?? '/', 'http://simulator').searchParams;
  if (query.get('access_token') !== '24.simulated')
    return sendJson(response, 200, { error_code: 110, error_msg: 'Access token invalid or no longer valid' });
  const messages = asList(body['messages']).map(asJson);
  if (messages.length % 2 === 0 || messages.at(-1)?.['role'] !== 'user')
    return sendJson(response, 200, {
      error_code: 336_006,
      error_msg: 'the length of messages must be an odd number',
    });
  const head: Json = { id: 'as-1', object: 'chat.completion', created: 1_767_225_600 };
  const usage = { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 };
  const end = { is_truncated: false, need_clear_history: false, finish_reason: 'normal', usage };
  if (body['stream'] !== true) return sendJson(response, 200, { ...head, result: WORDS.join(''), ...end });
  streamed(
    call,
    WORDS.map((result, at) =>
      event({
        ...head,
        sentence_id: at,
        is_end: at === WORDS.length - 1,
        result,
        ...(at === WORDS.length - 1 ? end : { usage: { ...usage, completion_tokens: at } }),
      }),
    ),
  );
};

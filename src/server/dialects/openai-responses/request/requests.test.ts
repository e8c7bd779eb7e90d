import { describe, expect, test } from 'vitest';
import type { ChatRequest } from '#core/chat/request.ts';
import { requireSupported } from '#core/chat/require-supported.ts';
import type { ChatEvent } from '#core/chat/event.ts';
import { AppError } from '#core/error.ts';
import { SseParser } from '../../sse.ts';
import { openaiResponses } from '../openai-responses.ts';

const refusal = (run: () => unknown): AppError => {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error('it was accepted');
};
const read = (body: Record<string, unknown>): ChatRequest =>
  openaiResponses.readRequest({ model: 'm', input: 'Hello', ...body });
const foreign = (request: Partial<ChatRequest>): ChatRequest => ({
  model: 'm',
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  extras: {},
  ...request,
});

describe('numbers at the door', () => {
  test.each<[string, unknown]>([
    ['max_output_tokens', -1],
    ['max_output_tokens', 1e9],
    ['max_output_tokens', '3'],
    ['temperature', Infinity],
    ['top_p', '1'],
    ['top_logprobs', 1.5],
    ['max_tool_calls', 1e6],
    ['model', ''],
    ['stream', 'yes'],
    ['input', 7],
  ])('%s: %j is refused by its name', (field, value) => {
    const error = refusal(() => openaiResponses.facts({ model: 'm', input: 'x', [field]: value }));
    expect([error.code, error.param]).toEqual(['invalid_request', field]);
  });

  test('0 tokens is no limit, and a conversation kept upstream is paid for again', () => {
    const plain = openaiResponses.facts({ model: 'm', input: 'x', max_output_tokens: 0 });
    const kept = openaiResponses.facts({ model: 'm', input: 'x', previous_response_id: 'resp_1' });
    expect(plain.maxOutputTokens).toBeUndefined();
    expect(kept.inputTokensEstimate - plain.inputTokensEstimate).toBe(20_000);
  });
});

test('an item that is only named stays a name, also where it does not say so', () => {
  const written = openaiResponses.writeRequest(read({ input: [{ id: 'msg_1' }] }));
  expect(written['input']).toEqual([{ type: 'item_reference', id: 'msg_1' }]);
});

describe('what only a native upstream can do is refused elsewhere by its name', () => {
  test.each<[string, Record<string, unknown>]>([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['store', { store: true }],
    ['background', { background: true }],
    ['text', { text: { format: { type: 'grammar', definition: 'x' } } }],
    ['tools.0', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    [
      'tool_choice',
      { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'mcp', server_label: 's' }] } },
    ],
    ['input.0', { input: [{ type: 'item_reference', id: 'rs_1' }] }],
    ['input.0', { input: [{ id: 'rs_1' }] }],
  ])('%s', (param, body) => {
    const request = read(body);
    const error = refusal(() => requireSupported(request, 'openai-chat'));
    expect([error.code, error.param]).toEqual(['invalid_request', param]);
    expect(error.message).toContain(`'${param.replace('input.0', 'input[0]')}'`);
    expect(openaiResponses.writeRequest(request)).toMatchObject(
      Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'input')),
    );
  });

  test('what changes nothing may go anywhere: store off, a search of what is cached', () => {
    const request = read({
      store: false,
      truncation: 'disabled',
      tools: [{ type: 'web_search', external_web_access: false }],
      input: [{ type: 'web_search_call', id: 'ws_1', status: 'completed' }],
    });
    expect(request.onlyIn).toBeUndefined();
    expect(request.tools).toEqual([]);
  });

  test('and what this format cannot say is refused of others', () => {
    const stop = Array.from({ length: 17 }, (_, at) => `stop ${at}`);
    expect(refusal(() => openaiResponses.writeRequest(foreign({ stop }))).param).toBe('stop');
    const long = { stop: ['x'.repeat(257)] };
    expect(refusal(() => openaiResponses.writeRequest(foreign(long))).param).toBe('stop');
    expect(openaiResponses.writeRequest(foreign({ stop: ['x'] }))).not.toHaveProperty('stop');
    expect(refusal(() => openaiResponses.writeRequest(foreign({ choices: 2 }))).param).toBe('n');
  });
});

describe('a request from another format', () => {
  test('is not kept upstream, asks for sealed thoughts when it thinks, and is strict only where it says so', () => {
    const written = openaiResponses.writeRequest(
      foreign({
        messages: [
          { role: 'system', content: [{ type: 'text', text: 'Be brief' }] },
          { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        ],
        tools: [{ name: 'f', parameters: { type: 'object' } }],
        reasoning: { budgetTokens: 4000 },
      }),
    );
    expect(written).toEqual({
      model: 'm',
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'Be brief',
      input: [{ role: 'user', content: 'Hello' }],
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: false }],
      reasoning: { effort: 'medium' },
    });
  });

  test('leaves thoughts of other upstreams behind and brings back its own', () => {
    const { input } = openaiResponses.writeRequest(
      foreign({
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'a', signature: 'S', signatureFrom: 'anthropic-messages' },
              { type: 'reasoning', text: 'b' },
              { type: 'reasoning', text: 'c', signature: 'gAAA', signatureFrom: 'openai-responses' },
              { type: 'text', text: 'Hi' },
            ],
          },
        ],
      }),
    ) as { input: unknown };
    expect(input).toEqual([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'c' }], encrypted_content: 'gAAA' },
      { role: 'assistant', content: 'Hi' },
    ]);
  });
});

describe('what an upstream of another format sealed', () => {
  test('comes back with the next turn, byte for byte, and says where it is from', () => {
    const reply = openaiResponses.writeWhole([
      { type: 'start', id: 'x', model: 'm' },
      { type: 'reasoning-delta', choice: 0, text: 'hm' },
      { type: 'reasoning-end', choice: 0, signature: 'EqQB', signatureFrom: 'anthropic-messages' },
      { type: 'reasoning-end', choice: 0, redacted: 'Rx==', signatureFrom: 'anthropic-messages' },
      { type: 'reasoning-delta', choice: 0, text: 'open' },
      {
        type: 'tool-call-start',
        choice: 0,
        index: 1,
        id: 'c1',
        name: 'f',
        signature: 'G+/=',
        signatureFrom: 'gemini',
      },
      { type: 'tool-call-delta', choice: 0, index: 1, argumentsText: '{}' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ]) as { output: unknown[] };
    expect(read({ input: reply.output }).messages).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', signature: 'EqQB', signatureFrom: 'anthropic-messages' },
          { type: 'reasoning', text: '', redacted: 'Rx==', signatureFrom: 'anthropic-messages' },
          { type: 'reasoning', text: 'open' },
          {
            type: 'tool-call',
            id: 'c1',
            name: 'f',
            argumentsText: '{}',
            signature: 'G+/=',
            signatureFrom: 'gemini',
            extras: { 'openai-responses': { id: 'fc_x_4', status: 'completed' } },
          },
        ],
      },
    ]);
  });
});

describe('a tool that takes free text', () => {
  test('is a function with one text for others, and its calls turn back', () => {
    const request = read({
      tools: [{ type: 'custom', name: 'patch', description: 'Patches', format: { type: 'text' } }],
      input: [
        { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** Begin' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'ok' },
      ],
    });
    expect(request.onlyIn).toBeUndefined();
    expect(request.tools?.[0]).toMatchObject({ name: 'patch', parameters: { required: ['input'] } });
    expect(request.messages[0]?.content[0]).toMatchObject({ argumentsText: '{"input":"*** Begin"}' });
    expect(openaiResponses.writeRequest(request)['input']).toEqual([
      { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'ok' },
    ]);
  });
});

describe('the call of a tool that takes free text', () => {
  const asked = read({
    tools: [
      {
        type: 'custom',
        name: 'patch',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
      },
      { type: 'function', name: 'list', parameters: {} },
    ],
  });
  const callOf = (name: string, argumentsText: string): unknown => {
    const events: ChatEvent[] = [
      { type: 'tool-call-start', choice: 0, index: 0, id: 'c', name },
      { type: 'tool-call-delta', choice: 0, index: 0, argumentsText },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ];
    return (openaiResponses.writeWhole(events, asked) as { output: unknown[] }).output[0];
  };

  test.each([
    ['{"input":"*** Begin\\n"}', '*** Begin\n'],
    ['{"patch":"x"}', 'x'],
    ['"x"', 'x'],
    ['*** Begin', '*** Begin'],
    ['{"a":"x","b":"y"}', '{"a":"x","b":"y"}'],
  ])('%s has the input %j', (argumentsText, input) => {
    expect(callOf('patch', argumentsText)).toMatchObject({ type: 'custom_tool_call', call_id: 'c', input });
  });

  test('of a function beside it stays a function call', () => {
    expect(callOf('list', '{}')).toMatchObject({ type: 'function_call', arguments: '{}' });
  });

  test('is told its grammar where the upstream knows none', () => {
    expect(asked.tools?.[0]?.description).toContain('lark grammar:\nstart: "a"');
  });
});

describe('an error in the middle of a stream', () => {
  test('is an event OpenAI raises and the end of the response that was begun, with the request id and the next numbers', () => {
    const error = new AppError('upstream_timeout', 'the upstream fell silent');
    const parser = new SseParser();
    const event = (body: { readonly type: string }): string =>
      `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`;
    const response = { id: 'resp_7', model: 'gpt-5', object: 'response', status: 'in_progress', output: [] };
    const delta = 'say "sequence_number":9';
    const begun = parser.feed(
      Buffer.from(
        event(Object.assign({ type: 'response.created' }, { sequence_number: 0, response })) +
          event(Object.assign({ type: 'response.output_text.delta' }, { sequence_number: 4, delta })),
      ),
    );
    const passed = { first: begun, last: begun.map(({ raw }) => raw) };
    const frames = parser.feed(openaiResponses.writeStreamError(error, 'r1', passed));
    expect(frames.map((frame) => frame.event)).toEqual(['error', 'response.failed']);
    const bodies = frames.map((frame) => JSON.parse(frame.data.toString()) as Record<string, unknown>);
    const message = 'the upstream fell silent (request id: r1)';
    expect(bodies[0]).toMatchObject({ type: 'error', error: { message, code: 'upstream_timeout' } });
    expect(bodies.map((body) => body['sequence_number'])).toEqual([5, 6]);
    expect(bodies[1]).toMatchObject({
      response: {
        id: 'resp_7',
        model: 'gpt-5',
        status: 'failed',
        error: { message, code: 'server_error' },
      },
    });
    expect(frames.map((frame) => openaiResponses.tap(frame)?.error?.code)).toEqual([
      'upstream_failed',
      'upstream_failed',
    ]);
  });
});

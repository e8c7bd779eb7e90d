import { expect, test } from 'vitest';
import { openaiChat } from '../../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses.ts';

const close = { type: 'function', name: 'close', strict: false, parameters: { type: 'object' } };
const body = {
  model: 'm',
  input: [
    { role: 'user', content: 'close it' },
    { type: 'function_call', call_id: 'c1', name: 'close', namespace: 'agents', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'done' },
  ],
  tools: [
    { ...close, name: 'look' },
    {
      type: 'namespace',
      name: 'agents',
      description: 'Helpers.',
      tools: [close, { ...close, name: 'wait' }],
    },
  ],
};

test('functions of a namespace reach an upstream of another format under names of their own', () => {
  const sent = openaiChat.writeRequest(openaiResponses.readRequest(body));
  const tools = sent['tools'] as { function: { name: string } }[];
  expect(tools.map((tool) => tool.function.name)).toEqual(['look', 'agents-_-close', 'agents-_-wait']);
  expect(JSON.stringify(sent['messages'])).toContain('"name":"agents-_-close"');
});

test('its calls come back with the namespace', async () => {
  const whole = openaiResponses.writeWhole([
    { type: 'start', id: 'r', model: 'm' },
    { type: 'tool-call-start', choice: 0, index: 0, id: 'c1', name: 'agents-_-close' },
    { type: 'tool-call-delta', choice: 0, index: 0, argumentsText: '{}' },
    { type: 'finish', choice: 0, reason: 'tool-calls' },
  ]);
  expect(whole).toMatchObject({ output: [{ type: 'function_call', name: 'close', namespace: 'agents' }] });
  expect(openaiResponses.readWhole(whole)).toContainEqual(
    expect.objectContaining({ type: 'tool-call-start', name: 'agents-_-close' }),
  );
});

test('read and written again, a request has its namespaces as before', () => {
  const again = openaiResponses.writeRequest(openaiResponses.readRequest(body));
  expect(again['tools']).toEqual(body.tools);
  expect(again['input']).toMatchObject([{}, { name: 'close', namespace: 'agents' }, {}]);
});

test('a custom tool of a namespace is called, and its calls come back, as its functions are', () => {
  const custom = { type: 'custom', name: 'patch' };
  const call = { type: 'custom_tool_call', call_id: 'c1', name: 'patch', namespace: 'agents', input: 'a' };
  const output = { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' };
  const asked = {
    ...body,
    input: [call, output],
    tools: [{ type: 'namespace', name: 'agents', tools: [custom] }],
  };
  const request = openaiResponses.readRequest(asked);
  expect(request.tools?.map(({ name }) => name)).toEqual(['agents-_-patch']);
  expect(JSON.stringify(openaiChat.writeRequest(request)['messages'])).toContain('"name":"agents-_-patch"');
  const again = openaiResponses.writeRequest(request);
  expect(again['tools']).toEqual(asked.tools);
  expect(again['input']).toMatchObject([call, output]);
  const whole = openaiResponses.writeWhole(
    [
      { type: 'start', id: 'r', model: 'm' },
      { type: 'tool-call-start', choice: 0, index: 0, id: 'c1', name: 'agents-_-patch' },
      { type: 'tool-call-delta', choice: 0, index: 0, argumentsText: '{"input":"a"}' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ],
    request,
  );
  expect(whole).toMatchObject({ output: [{ ...call, status: 'completed' }] });
});

import { expect, it } from 'vitest';
import { promptTexts } from './prompt-texts.ts';

it('finds every text that an upstream would show to a model, wherever it stands', () => {
  const bad = 'forbidden';
  const base64 = Buffer.from(`a ${bad} text, as a file`).toString('base64');
  const said = (body: object): boolean => promptTexts({ ...body }).some((text) => text.includes(bad));
  const content = (...parts: unknown[]): object => ({ messages: [{ role: 'user', content: parts }] });
  for (const body of [
    { messages: [{ role: 'user', content: `data:, ${bad}` }] },
    { messages: [{ role: 'user', content: `data:image/png;base64,${bad}` }] },
    { tools: [{ type: 'function', function: { name: 't', description: bad } }] },
    { tools: [{ type: 'function', function: { name: bad } }] },
    { tools: [{ type: 'function', function: { name: 't', parameters: { properties: { [bad]: {} } } } }] },
    { tools: [{ name: 't', input_schema: { properties: { type: { description: bad } } } }] },
    {
      tools: [{ functionDeclarations: [{ name: 't', parameters: { properties: { a: { enum: [bad] } } } }] }],
    },
    { response_format: { type: 'json_schema', json_schema: { name: 's', schema: { title: bad } } } },
    {
      messages: [
        {
          role: 'assistant',
          tool_calls: [{ function: { name: 't', arguments: '{"a":"\\u0066orbidden"}' } }],
        },
      ],
    },
    { messages: [{ role: 'assistant', content: [{ type: 'tool_use', input: { data: bad, url: bad } }] }] },
    { contents: [{ parts: [{ functionCall: { name: 't', args: { [bad]: 1 } } }] }] },
    { contents: [{ parts: [{ inlineData: { mimeType: 'text/plain', data: base64 } }] }] },
    { generationConfig: { responseSchema: { description: bad } } },
    content({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: `${bad} text` } }),
    content({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: bad } }),
    content({ type: 'document', title: bad, source: { type: 'url', url: 'https://x' } }),
    content({
      type: 'file',
      file: { filename: `${bad}.pdf`, file_data: 'data:application/pdf;base64,AAAA' },
    }),
    content({ type: 'file', file: { file_data: `data:text/plain;base64,${base64}` } }),
    content({ type: 'file', file: { file_data: `data:text/markdown,a%20${bad}` } }),
    content({ type: 'image_url', image_url: { url: `data:image/png;base64,AAAA ${bad}` } }),
    { prompt: { id: 'p', variables: { name: bad } } },
    { messages: [{ role: 'user', name: bad, content: 'x' }] },
    { messages: [{ role: `a ${bad} role`, content: 'x' }] },
    { $files: [{ name: 'image', filename: `${bad}.png`, head: Buffer.from('x') }] },
    { input: 'x', voice: 'alloy', instructions: bad },
    { negative_prompt: bad },
    { somethingNew: [{ deep: [[{ er: bad }]] }] },
  ])
    expect.soft(said(body), JSON.stringify(body)).toBe(true);
  for (const body of [
    { model: bad, user: bad, metadata: { a: bad }, stop: [bad], prompt_cache_key: bad },
    content({ type: 'image_url', image_url: { url: `https://x/${bad}.png` } }),
    content({ type: 'image_url', image_url: { url: `data:image/png;base64,${bad}` } }),
    content({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: bad } }),
    { messages: [{ role: 'tool', tool_call_id: bad, content: 'x' }] },
  ])
    expect.soft(said(body), JSON.stringify(body)).toBe(false);
});

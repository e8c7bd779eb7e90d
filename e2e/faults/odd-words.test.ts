import { afterEach, expect, test } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { callerRequest } from '../support/caller-request.ts';
import { formats } from '../support/one-format.ts';
import { startScriptedUpstream } from '../support/upstreams/scripted-upstream.ts';
import { useFormats } from './use-formats.ts';

/** In place of a word there may be any value, even an object with a field named `toString`. */

const { rig, post } = useFormats(startScriptedUpstream);
afterEach(() => expect.poll(rig().openHolds).toBe(0));

const ODD = { toString: 1, valueOf: 1 };
const schema = { type: 'object', properties: { a: { const: ODD, type: ODD, minItems: ODD, enum: [ODD] } } };
const function_ = { name: 'f', parameters: schema };

const oddities: Readonly<Record<DialectName, readonly object[]>> = {
  'openai-chat': [
    { modalities: [ODD], audio: { voice: ODD, format: ODD } },
    { tools: [{ type: ODD, function: ODD }] },
    { tools: [{ type: 'function', function: function_ }] },
    { thinking: { type: ODD, budget_tokens: ODD } },
    { response_format: { type: ODD } },
    {
      messages: [
        {
          role: 'assistant',
          content: 'x',
          refusal: ODD,
          reasoning_details: [{ index: ODD, signature: 's' }],
        },
        { role: 'user', content: 'go' },
      ],
    },
  ],
  'openai-responses': [
    { text: { format: { type: ODD } } },
    { tools: [{ type: ODD, name: 'f' }] },
    { tools: [{ type: 'function', name: ODD }] },
    { input: [{ type: ODD, role: 'user', content: 'x' }] },
  ],
  'anthropic-messages': [
    { max_tokens: ODD },
    { thinking: { type: 'enabled', budget_tokens: ODD } },
    { tools: [{ type: ODD, name: 'f' }] },
    {
      tools: [{ type: 'computer_20250124', name: 'computer', display_width_px: ODD, display_height_px: ODD }],
    },
    { output_config: { effort: ODD, format: { type: 'json_schema', schema } } },
  ],
  gemini: [
    { generationConfig: { responseModalities: [ODD] } },
    { generationConfig: { responseMimeType: ODD } },
    { generationConfig: { responseMimeType: 'application/json', responseSchema: schema } },
    { tools: [{ functionDeclarations: [function_] }] },
  ],
};

test.each(formats)(
  'a caller of %s with a wrong type in place of a word never causes a server error',
  async (format) => {
    for (const more of oddities[format])
      for (const model of formats) {
        const { path, body } = callerRequest(format, model, { stream: false });
        const { status } = await post(path, { ...body, ...more });
        expect([JSON.stringify(more), model, status < 500]).toEqual([JSON.stringify(more), model, true]);
      }
  },
);

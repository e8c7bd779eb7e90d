import { z } from 'zod';
import type { RequestFacts, Wire } from '../dialect.ts';
import { choiceCount, knob, modelName, parseBounds } from '../openai/bounds.ts';
import { promptSize } from '../openai/prompt-size.ts';
import { estimateTokens } from '../openai/usage/estimate-tokens.ts';
import type { Fields } from '#core/json/fields.ts';
import { tapParsed } from '../openai/tap.ts';
import { wholeWire } from '../openai/whole-wire.ts';

const bounds = z.object({
  model: modelName,
  input: z.string().nullish(),
  instruction: z.string().min(1),
  n: choiceCount,
  temperature: knob,
  top_p: knob,
});

const facts = (body: Fields): RequestFacts => {
  const { model, input, n } = parseBounds(bounds, body);
  const text = estimateTokens(input ?? '');
  return {
    model,
    stream: false,
    // The answer is the text again, changed.
    maxOutputTokens: 256 + text * 2,
    choices: n ?? 1,
    callFactor: n ?? 1,
    ...promptSize(body, ['input', 'instruction']),
    wantsStreamUsage: false,
  };
};

/** `POST /v1/edits`, an old format that some servers still answer. Its bytes are only repeated. */
export const openaiEdits: Wire & { readonly name: 'openai-edits' } = {
  name: 'openai-edits',
  ...wholeWire,
  facts,
  tapWhole: (body) => tapParsed(body, 'text'),
};

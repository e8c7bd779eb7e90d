import { fieldsOf, type Fields } from '../../dialects/openai/fields.ts';
import type { Addressed } from '../provider.ts';

/** Names of reasoning models with how hard to think at their end: `o3-mini-high`, `gpt-5-minimal`. */
const SUFFIXED = /^((?:o\d|gpt-[5-9]|grok-3-mini).*)-(none|minimal|low|medium|high|xhigh|max)$/;

/** The effort at the end of a model's name goes where the model reads it, unless the caller names one itself. */
export const readEffortSuffix = (body: Fields, call: Addressed): Fields => {
  const [, model, effort] = call.operation === 'chat' ? (SUFFIXED.exec(call.model) ?? []) : [];
  if (model === undefined) return body;
  if (call.dialect === 'openai-responses')
    return { ...body, model, reasoning: { effort, ...fieldsOf(body['reasoning']) } };
  return { ...body, model, reasoning_effort: body['reasoning_effort'] ?? effort };
};

/** Where the formats keep what is asked: chat, completions, responses, Gemini, images, speech, rerank, tasks. */
const PROMPT_FIELDS = [
  'messages',
  'system',
  'input',
  'instructions',
  'instruction',
  'prompt',
  'contents',
  'systemInstruction',
  'system_instruction',
  'query',
  'documents',
  'content',
  'requests',
  'suffix',
  'gpt_description_prompt',
  'title',
  'tags',
];

/** Fields inside them that are not said by anybody: kinds, ids, addresses, bytes. */
const NOT_SAID: ReadonlySet<string> = new Set([
  'type',
  'role',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'data',
  'url',
  'image_url',
  'file_id',
  'file_data',
  'fileUri',
  'mimeType',
  'mime_type',
  'media_type',
  'signature',
  'thoughtSignature',
  'encrypted_content',
  'cache_control',
]);

/** Deeper than any format goes; what is nested further is no prompt. */
const MAX_DEPTH = 24;

/** Every text of a prompt, whatever format the body has, without pictures, sounds and the names of things. */
export const promptTexts = (body: Readonly<Record<string, unknown>>): string[] => {
  const texts: string[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (value !== '' && !value.startsWith('data:')) texts.push(value);
    } else if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) {
      return;
    } else if (Array.isArray(value)) {
      for (const item of value) collect(item, depth + 1);
    } else {
      for (const [name, item] of Object.entries(value)) if (!NOT_SAID.has(name)) collect(item, depth + 1);
    }
  };
  for (const field of PROMPT_FIELDS) collect(body[field], 0);
  return texts;
};

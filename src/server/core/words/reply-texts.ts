/** Where the formats keep what a model says, whole and in events: chat, completions, responses, messages, Gemini. */
const SAID: ReadonlySet<string> = new Set([
  'choices',
  'candidates',
  'output',
  'message',
  'delta',
  'content',
  'parts',
  'text',
  'thinking',
  'reasoning',
  'reasoning_content',
]);

/** Deeper than any format goes. */
const MAX_DEPTH = 12;

/** Every text of a reply or of one event of it, in order. */
export const replyTexts = (body: unknown): string[] => {
  const texts: string[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (value !== '') texts.push(value);
    } else if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) {
      return;
    } else if (Array.isArray(value)) {
      for (const item of value) collect(item, depth + 1);
    } else {
      for (const [name, item] of Object.entries(value)) if (SAID.has(name)) collect(item, depth + 1);
    }
  };
  if (typeof body === 'object') collect(body, 0);
  return texts;
};

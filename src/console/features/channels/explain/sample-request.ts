import type { sampleDialects } from '#contract/sample-calls.ts';

export type SampleDialect = (typeof sampleDialects)[number];

const MESSAGES = [{ role: 'user', content: 'Hi' }];

const REQUESTS: Readonly<Record<SampleDialect, object>> = {
  'openai-chat': { messages: MESSAGES, max_tokens: 100 },
  'openai-responses': { input: 'Hi', max_output_tokens: 100 },
  'anthropic-messages': { messages: MESSAGES, max_tokens: 100 },
  gemini: {
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    generationConfig: { maxOutputTokens: 100 },
  },
};

/** A short request of a format; the model is the channel's. */
export const leastRequest = (dialect: SampleDialect): string => JSON.stringify(REQUESTS[dialect], null, 2);

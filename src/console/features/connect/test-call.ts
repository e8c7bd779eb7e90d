/** The formats programs speak. */
export type TestFormat = 'chat' | 'responses' | 'messages' | 'gemini';

export interface TestCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const QUESTION = 'Say hello.';
/** Enough for a greeting; the least some upstreams of Responses take. */
const ANSWER_MAX_TOKENS = 16;
const messages = [{ role: 'user', content: QUESTION }];

/** One very short call, with the key where a program of this format puts it. */
export const testCall = (format: TestFormat, key: string, model: string): TestCall => {
  switch (format) {
    case 'chat':
      return {
        path: '/v1/chat/completions',
        headers: { Authorization: `Bearer ${key}` },
        body: { model, max_tokens: ANSWER_MAX_TOKENS, messages },
      };
    case 'responses':
      return {
        path: '/v1/responses',
        headers: { Authorization: `Bearer ${key}` },
        body: { model, max_output_tokens: ANSWER_MAX_TOKENS, input: QUESTION, store: false },
      };
    case 'messages':
      return {
        path: '/v1/messages',
        headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
        body: { model, max_tokens: ANSWER_MAX_TOKENS, messages },
      };
    case 'gemini':
      return {
        path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
        headers: { 'x-goog-api-key': key },
        body: {
          contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
          generationConfig: { maxOutputTokens: ANSWER_MAX_TOKENS },
        },
      };
  }
};

interface TextPart {
  readonly text?: string | null;
}
interface Answer {
  readonly error?: { readonly message?: string } | null;
  readonly choices?: readonly { readonly message?: { readonly content?: string | null } }[];
  readonly output?: readonly { readonly content?: readonly TextPart[] }[];
  readonly content?: readonly TextPart[];
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly TextPart[] } }[];
}

/** What the answer of any format says: its words, or what was wrong. */
export const wordsOf = (answer: unknown): string => {
  const { error, choices, output, content, candidates } = answer as Answer;
  if (error?.message !== undefined) return error.message;
  const parts = [
    ...(output ?? []).flatMap((item) => item.content ?? []),
    ...(content ?? []),
    ...(candidates?.[0]?.content?.parts ?? []),
  ];
  return [choices?.[0]?.message?.content, ...parts.map(({ text }) => text)]
    .map((text) => text ?? '')
    .join('');
};

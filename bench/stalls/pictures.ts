import type { HeavyCall } from './call.ts';
import { event } from './formats.ts';
import { json, MEGABYTE } from './texts.ts';

/** Large pictures in requests and answers, for callers of each format and upstreams of each. */

const picture = (megabytes: number): string => 'iVBORw0KGgoA'.repeat((megabytes * MEGABYTE) / 12);

const UPSTREAMS = { same: 'an OpenAI upstream', claude: 'Anthropic', gem: 'Gemini' } as const;

/** A question of each format, with a picture if there is one. */
const askers: Readonly<
  Record<string, (model: string, data?: string) => { readonly path: string; readonly body: object }>
> = {
  chat: (model, data) => ({
    path: '/v1/chat/completions',
    body: {
      model,
      max_tokens: 16,
      stream: true,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            ...(data === undefined
              ? []
              : [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }]),
          ],
        },
      ],
    },
  }),
  Messages: (model, data) => ({
    path: '/v1/messages',
    body: {
      model,
      max_tokens: 16,
      stream: true,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            ...(data === undefined
              ? []
              : [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }]),
          ],
        },
      ],
    },
  }),
  Responses: (model, data) => ({
    path: '/v1/responses',
    body: {
      model,
      max_output_tokens: 16,
      stream: true,
      store: false,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'hi' },
            ...(data === undefined
              ? []
              : [{ type: 'input_image', image_url: `data:image/png;base64,${data}`, detail: 'auto' }]),
          ],
        },
      ],
    },
  }),
  Gemini: (model, data) => ({
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: {
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'hi' },
            ...(data === undefined ? [] : [{ inlineData: { mimeType: 'image/png', data } }]),
          ],
        },
      ],
      generationConfig: { maxOutputTokens: 16 },
    },
  }),
};

const asked = (megabytes: number): HeavyCall[] =>
  Object.entries(askers).flatMap(([caller, ask]) =>
    Object.entries(UPSTREAMS).map(([model, upstream]) => ({
      name: `${megabytes} MB of picture asked by ${caller} of ${upstream}`,
      path: ask(model).path,
      body: () => json(ask(model, picture(megabytes)).body),
    })),
  );

/** What Gemini answers, and what OpenRouter does. */
const drawn = {
  gem: (data: string) =>
    event({
      candidates: [
        {
          content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data } }] },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
    }),
  same: (data: string) =>
    `${event({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [
        {
          index: 0,
          delta: {
            content: '',
            images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }],
          },
          finish_reason: 'stop',
        },
      ],
    })}data: [DONE]\n\n`,
} as const;

const answered = (megabytes: number): HeavyCall[] =>
  Object.entries(askers).flatMap(([caller, ask]) =>
    // An OpenAI upstream answers Responses in their own format.
    (caller === 'Responses' ? (['gem'] as const) : (['gem', 'same'] as const)).map((model) => ({
      name: `${megabytes} MB of picture answered to ${caller} by ${UPSTREAMS[model]}`,
      path: ask(model).path,
      body: () => json(ask(model).body),
      answer: () => ({ body: Buffer.from(drawn[model](picture(megabytes))) }),
    })),
  );

export const heavyPictures: readonly HeavyCall[] = [1, 12].flatMap((megabytes) => [
  ...asked(megabytes),
  ...answered(megabytes),
]);

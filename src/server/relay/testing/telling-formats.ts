import type fc from 'fast-check';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import type { Tapped, Wire } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';
import { gemini } from '../../dialects/gemini/gemini.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { tapMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { plainWires } from '../../dialects/plain-wires.ts';
import { answerOf, promptOf, totals, type Used, usedOf } from './used-tokens.ts';

/* How each format tells what a call used, by makers' references, and random uses that it can tell. */

const PROMPT = ['inputTokens', 'cacheReadTokens'] as const;
const DEARER = ['audioCacheReadTokens', 'imageCacheReadTokens'] as const;
const WRITES = ['cacheWrite5mTokens', 'cacheWrite1hTokens'] as const;
const ANSWER = ['outputTokens', 'reasoningTokens'] as const;
const SOUND = ['audioInputTokens', 'audioOutputTokens'] as const;
const PICTURES = ['imageInputTokens', 'imageOutputTokens'] as const;

const frame = (value: object, event = ''): Frame =>
  ({ event, data: Buffer.from(JSON.stringify(value)) }) as Frame;
const whole = (wire: Wire, body: object): Tapped | undefined => wire.tapWhole(body);

/** A format: what it can tell, and an answer that tells it. */
interface Format {
  readonly name: string;
  readonly used: fc.Arbitrary<Used>;
  readonly told: (used: Used) => readonly (Tapped | undefined)[];
}

const wordsCached = (used: Used): number =>
  used.cacheReadTokens - used.audioCacheReadTokens - used.imageCacheReadTokens;
const inputDetails = (used: Used) => ({
  audio_tokens: used.audioInputTokens + used.audioCacheReadTokens,
  image_tokens: used.imageInputTokens + used.imageCacheReadTokens,
  cached_tokens: used.cacheReadTokens,
  cached_tokens_details: {
    text_tokens: wordsCached(used),
    audio_tokens: used.audioCacheReadTokens,
    image_tokens: used.imageCacheReadTokens,
  },
});
const inResponses = usedOf(...PROMPT, ...DEARER, WRITES[0], ...ANSWER, SOUND[0], PICTURES[0]);
const chatUsage = (used: Used) => ({
  prompt_tokens: promptOf(used),
  completion_tokens: answerOf(used),
  total_tokens: promptOf(used) + answerOf(used),
  prompt_tokens_details: {
    ...inputDetails(used),
    cache_write_tokens: used.cacheWrite5mTokens,
  },
  completion_tokens_details: {
    reasoning_tokens: used.reasoningTokens,
    audio_tokens: used.audioOutputTokens,
    image_tokens: used.imageOutputTokens,
  },
});
const chatChoice = { index: 0, finish_reason: 'stop' };
const responseOf = (used: Used) => ({
  object: 'response',
  status: 'completed',
  output: [{ type: 'message', content: [{ type: 'output_text', text: '' }] }],
  usage: {
    ...totals(used),
    input_tokens_details: {
      ...inputDetails(used),
      cache_write_tokens: used.cacheWrite5mTokens,
    },
    output_tokens_details: { reasoning_tokens: used.reasoningTokens },
  },
});
const anthropicUsage = (used: Used) => ({
  input_tokens: used.inputTokens,
  cache_read_input_tokens: used.cacheReadTokens,
  cache_creation_input_tokens: used.cacheWrite5mTokens + used.cacheWrite1hTokens,
  cache_creation: {
    ephemeral_5m_input_tokens: used.cacheWrite5mTokens,
    ephemeral_1h_input_tokens: used.cacheWrite1hTokens,
  },
  output_tokens: used.outputTokens,
  output_tokens_details: { thinking_tokens: used.reasoningTokens },
});
const byModality = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([modality, tokenCount]) => ({ modality, tokenCount }));
const geminiBody = (used: Used) => ({
  candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }],
  usageMetadata: {
    promptTokenCount: promptOf(used),
    cachedContentTokenCount: used.cacheReadTokens,
    candidatesTokenCount: answerOf(used) - used.reasoningTokens,
    thoughtsTokenCount: used.reasoningTokens,
    totalTokenCount: promptOf(used) + answerOf(used),
    promptTokensDetails: byModality({
      TEXT: used.inputTokens + wordsCached(used),
      IMAGE: used.imageInputTokens + used.imageCacheReadTokens,
      AUDIO: used.audioInputTokens + used.audioCacheReadTokens,
    }),
    cacheTokensDetails: byModality({
      TEXT: wordsCached(used),
      IMAGE: used.imageCacheReadTokens,
      AUDIO: used.audioCacheReadTokens,
    }),
    candidatesTokensDetails: byModality({
      TEXT: used.outputTokens - used.reasoningTokens,
      IMAGE: used.imageOutputTokens,
      AUDIO: used.audioOutputTokens,
    }),
  },
});
const mediaUsage = (used: Used) => ({
  ...totals(used),
  input_tokens_details: {
    text_tokens: used.inputTokens,
    image_tokens: used.imageInputTokens,
    audio_tokens: used.audioInputTokens,
  },
});
const turnOf = (used: Used) => ({
  type: 'response.done',
  response: {
    id: 'r',
    usage: {
      ...totals(used),
      input_token_details: {
        text_tokens: used.inputTokens + wordsCached(used),
        ...inputDetails(used),
      },
      output_token_details: { text_tokens: used.outputTokens, audio_tokens: used.audioOutputTokens },
    },
  },
});

const { embeddings, rerank, images, speech, transcriptions, moderations, completions } = plainWires;
export const tellingFormats: readonly Format[] = [
  {
    name: 'Chat Completions, whole',
    used: usedOf(...PROMPT, ...DEARER, 'cacheWrite5mTokens', ...ANSWER, ...SOUND, ...PICTURES),
    told: (used) => [
      whole(openaiChat, {
        choices: [{ ...chatChoice, message: { role: 'assistant', content: '' } }],
        usage: chatUsage(used),
      }),
    ],
  },
  {
    name: 'Chat Completions, streamed',
    used: usedOf(...PROMPT, ...DEARER, 'cacheWrite5mTokens', ...ANSWER, ...SOUND, ...PICTURES),
    told: (used) => [
      openaiChat.tap(frame({ choices: [{ ...chatChoice, delta: {} }] })),
      openaiChat.tap(frame({ choices: [], usage: chatUsage(used) })),
    ],
  },
  {
    name: 'Responses, whole',
    used: inResponses,
    told: (used) => [whole(openaiResponses, responseOf(used))],
  },
  {
    name: 'Responses, streamed',
    used: inResponses,
    told: (used) => [
      openaiResponses.tap(
        frame({ type: 'response.completed', response: responseOf(used) }, 'response.completed'),
      ),
    ],
  },
  {
    name: 'Messages, whole',
    used: usedOf(...PROMPT, ...WRITES, ...ANSWER),
    told: (used) => [
      whole(anthropicMessages, {
        type: 'message',
        content: [{ type: 'text', text: '' }],
        stop_reason: 'end_turn',
        usage: anthropicUsage(used),
      }),
    ],
  },
  {
    name: 'Messages, streamed',
    used: usedOf(...PROMPT, ...WRITES, ...ANSWER),
    told: (used) => [
      anthropicMessages.tap(
        frame(
          {
            type: 'message_start',
            message: {
              usage: {
                ...anthropicUsage({ ...used, reasoningTokens: 0 }),
                output_tokens: Math.min(1, used.outputTokens),
              },
            },
          },
          'message_start',
        ),
      ),
      anthropicMessages.tap(
        frame(
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn' },
            usage: {
              output_tokens: used.outputTokens,
              output_tokens_details: { thinking_tokens: used.reasoningTokens },
            },
          },
          'message_delta',
        ),
      ),
    ],
  },
  {
    name: 'Gemini, whole',
    used: usedOf(...PROMPT, ...DEARER, ...ANSWER, ...SOUND, ...PICTURES),
    told: (used) => [whole(gemini, geminiBody(used))],
  },
  {
    name: 'Gemini, streamed',
    used: usedOf(...PROMPT, ...DEARER, ...ANSWER, ...SOUND, ...PICTURES),
    told: (used) => [gemini.tap(frame(geminiBody(used)))],
  },
  {
    name: 'embeddings',
    used: usedOf('inputTokens'),
    told: (used) => [
      whole(embeddings, {
        data: [{ embedding: [1] }],
        usage: { prompt_tokens: used.inputTokens, total_tokens: used.inputTokens },
      }),
    ],
  },
  {
    name: 'rerank, by its total',
    used: usedOf('inputTokens'),
    told: (used) => [whole(rerank, { results: [{ index: 0 }], usage: { total_tokens: used.inputTokens } })],
  },
  {
    name: 'rerank, in its meta',
    used: usedOf('inputTokens'),
    told: (used) => [
      whole(rerank, { results: [{ index: 0 }], meta: { tokens: { input_tokens: used.inputTokens } } }),
    ],
  },
  {
    name: 'moderations',
    used: usedOf('inputTokens'),
    told: (used) => [whole(moderations, { results: [{}], usage: { prompt_tokens: used.inputTokens } })],
  },
  {
    name: 'completions',
    used: usedOf('inputTokens', 'outputTokens'),
    told: (used) => [whole(completions, { choices: [{ text: '', ...chatChoice }], usage: chatUsage(used) })],
  },
  {
    name: 'pictures',
    used: usedOf('inputTokens', 'imageInputTokens', 'imageOutputTokens'),
    told: (used) => [whole(images, { data: [{ b64_json: '' }], usage: mediaUsage(used) })],
  },
  {
    name: 'pictures, streamed',
    used: usedOf('inputTokens', 'imageInputTokens', 'imageOutputTokens'),
    told: (used) => [
      images.tap(
        frame(
          { type: 'image_generation.completed', b64_json: '', usage: mediaUsage(used) },
          'image_generation.completed',
        ),
      ),
    ],
  },
  {
    name: 'speech',
    used: usedOf('inputTokens', 'outputTokens'),
    told: (used) => [
      speech.tap(frame({ type: 'speech.audio.done', usage: totals(used) }, 'speech.audio.done')),
    ],
  },
  {
    name: 'transcripts',
    used: usedOf('inputTokens', 'audioInputTokens', 'outputTokens'),
    told: (used) => {
      const { input_tokens_details: input_token_details, ...usage } = mediaUsage(used);
      return [whole(transcriptions, { text: '', usage: { type: 'tokens', ...usage, input_token_details } })];
    },
  },
  {
    name: 'realtime',
    // More in one turn is not believed: four times what any model keeps.
    used: usedOf(...PROMPT, ...DEARER, 'outputTokens', ...SOUND, 'imageInputTokens').filter(
      (used) => promptOf(used) + answerOf(used) <= 4 * 128_000,
    ),
    told: (used) => {
      const usage = tapMessage(Buffer.from(JSON.stringify(turnOf(used))))?.done?.usage;
      return usage === undefined ? [] : [{ usage, finish: 'stop' }];
    },
  },
];

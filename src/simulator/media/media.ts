import { countTokens } from '../chats/tokens.ts';
import {
  asJson,
  asList,
  event,
  pause,
  sendError,
  sendJson,
  startStream,
  write,
  type Call,
  type Json,
} from '../wire.ts';

const CREATED = 1_767_225_600;
/** A picture of one transparent pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SOUND_CHUNKS = 16;
const SOUND_CHUNK = Buffer.alloc(32 * 1024, 7);

/** The handler of pictures, audio, moderations, rerank and legacy edits; undefined for other paths. */
export const mediaAt = (path: string): ((call: Call) => void | Promise<void>) | undefined => {
  const found = Object.entries(answers).find(([end]) => path.endsWith(end));
  return found?.[1];
};

/** The text fields of a form, by name. */
export const readFormFields = (bytes: Buffer): Json => {
  const fields: Record<string, unknown> = {};
  for (const [, name, value] of bytes.toString('latin1').matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)\r\n--/g))
    fields[name ?? ''] = value;
  return { ...fields, stream: fields['stream'] === 'true' };
};

const answerImages = async (call: Call): Promise<void> => {
  const { body, model, response } = call;
  const count = Number(body['n'] ?? 1);
  const isTokens = model.startsWith('gpt-image');
  const usage = {
    input_tokens: 50,
    input_tokens_details: { text_tokens: 10, image_tokens: 40 },
    output_tokens: 1056 * count,
    total_tokens: 50 + 1056 * count,
  };
  if (!call.stream) {
    const data = Array.from({ length: count }, () => ({ b64_json: PIXEL }));
    sendJson(response, 200, { created: CREATED, data, ...(isTokens && { usage }) });
    return;
  }
  startStream(response);
  const name = 'image_generation';
  await write(response, named(`${name}.partial_image`, { b64_json: PIXEL, partial_image_index: 0 }));
  response.end(named(`${name}.completed`, { b64_json: PIXEL, usage }));
};

const answerSpeech = async (call: Call): Promise<void> => {
  const { body, response } = call;
  if (body['stream_format'] === 'sse') {
    startStream(response);
    await write(response, named('speech.audio.delta', { audio: 'AAAA' }));
    response.end(
      named('speech.audio.done', { usage: { input_tokens: 14, output_tokens: 101, total_tokens: 115 } }),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'audio/mpeg' });
  for (let at = 0; at < SOUND_CHUNKS; at += 1) {
    if (at > 0) await pause(response, call.model.endsWith('slow') ? 200 : 0);
    // Breaks off in the middle of the audio.
    if (at === 2 && call.model.endsWith('cut')) return void response.destroy();
    await write(response, SOUND_CHUNK);
  }
  response.end();
};

const TRANSCRIPT = 'All is well with the simulated upstream.';

const answerTranscription = ({ body, model, response, stream }: Call): void => {
  const usage = model.startsWith('whisper')
    ? { type: 'duration', seconds: 30 }
    : {
        type: 'tokens',
        input_tokens: 14,
        input_token_details: { text_tokens: 0, audio_tokens: 14 },
        output_tokens: 9,
        total_tokens: 23,
      };
  if (stream) {
    startStream(response);
    response.write(named('transcript.text.delta', { delta: TRANSCRIPT }));
    response.end(named('transcript.text.done', { text: TRANSCRIPT, usage }));
  } else if (body['response_format'] === 'text') {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`${TRANSCRIPT}\n`);
  } else sendJson(response, 200, { text: TRANSCRIPT, usage });
};

const answerModeration = ({ body, model, response }: Call): void => {
  const inputs = Array.isArray(body['input']) ? body['input'] : [body['input']];
  const results = inputs.map((text) => ({
    flagged: String(text).includes('bad'),
    categories: { violence: false },
    category_scores: { violence: 0.01 },
  }));
  sendJson(response, 200, { id: 'modr-simulated', model, results });
};

const answerRerank = ({ body, model, response }: Call): void => {
  const documents = asList(body['documents']);
  if (documents.length === 0) return sendError(response, 400, { message: 'documents is empty' });
  const limit = typeof body['top_n'] === 'number' ? body['top_n'] : documents.length;
  const results = documents
    .map((document, index) => ({ index, relevance_score: score(String(body['query']), document), document }))
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, limit);
  const tokens = countTokens(body['query']) + countTokens(documents);
  sendJson(response, 200, {
    model,
    results,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
};

const score = (query: string, document: unknown): number => {
  const text = (typeof document === 'string' ? document : String(asJson(document)['text'])).toLowerCase();
  const words = query.toLowerCase().split(/\W+/);
  return words.filter((word) => text.includes(word)).length / (words.length + 1);
};

const answerEdit = ({ body, response }: Call): void => {
  const { input } = body;
  const text = `${typeof input === 'string' ? input : ''}!`;
  const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
  sendJson(response, 200, { object: 'edit', created: CREATED, choices: [{ index: 0, text }], usage });
};

const answers: Readonly<Record<string, (call: Call) => void | Promise<void>>> = {
  '/images/generations': answerImages,
  '/images/edits': answerImages,
  '/images/variations': answerImages,
  '/audio/speech': answerSpeech,
  '/audio/transcriptions': answerTranscription,
  '/audio/translations': answerTranscription,
  '/moderations': answerModeration,
  '/v1/rerank': answerRerank,
  '/edits': answerEdit,
};

const named = (type: string, fields: Json): string => `event: ${type}\n${event({ type, ...fields })}`;

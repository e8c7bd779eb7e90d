import type { ServerResponse } from 'node:http';
import { chunkOf, deltaOf } from './chat.ts';
import { DONE, event } from '../wire.ts';

/** A body with this text is answered without being parsed. */
const WHOLE_MARK = /"model"\s*:\s*"fast"/;
const CHUNKS_MARK = /"model"\s*:\s*"chunks-(\d{1,6})-(\d{1,5})"/;
const WHOLE_BYTES = 1024;

const WHOLE = (() => {
  const reply = (content: string): string =>
    JSON.stringify({
      id: 'chatcmpl-fast',
      object: 'chat.completion',
      created: 1_767_225_600,
      model: 'fast',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 200, total_tokens: 300 },
    });
  return Buffer.from(reply('x'.repeat(WHOLE_BYTES - reply('').length)));
})();

const WHOLE_HEADERS = ['content-type', 'application/json', 'content-length', String(WHOLE.length)];
const STREAM_HEADERS = ['content-type', 'text/event-stream'];

const PIECE = Buffer.from(event(chunkOf('chatcmpl-fast', 'chunks', [deltaOf({ content: ' measured' })])));

const endOf = (chunks: number): Buffer =>
  Buffer.from(
    event(chunkOf('chatcmpl-fast', 'chunks', [deltaOf({}, 'stop')])) +
      event(
        chunkOf('chatcmpl-fast', 'chunks', [], {
          usage: { prompt_tokens: 100, completion_tokens: chunks, total_tokens: 100 + chunks },
        }),
      ) +
      DONE,
  );

/**
 * Answers the models of benchmarks at the least cost: `fast` with 1 KB at once, `chunks-N-M` with N chunks M milliseconds
 * apart (0: as fast as they are read). Returns false for any other body.
 */
export const answerFast = (response: ServerResponse, body: Buffer): boolean => {
  const start = body.toString('latin1', 0, Math.min(body.length, 4096));
  if (WHOLE_MARK.test(start) && !/"stream"\s*:\s*true/.test(start)) {
    response.writeHead(200, WHOLE_HEADERS);
    response.end(WHOLE);
    return true;
  }
  const match = CHUNKS_MARK.exec(start);
  if (match === null) return false;
  response.writeHead(200, STREAM_HEADERS);
  const chunks = Number(match[1]);
  const gapMs = Number(match[2]);
  if (gapMs === 0) flood(response, chunks);
  else tick(response, chunks, gapMs);
  return true;
};

const tick = (response: ServerResponse, chunks: number, gapMs: number): void => {
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    response.write(PIECE);
    if (sent < chunks) return;
    clearInterval(timer);
    response.end(endOf(chunks));
  }, gapMs);
  response.once('close', () => clearInterval(timer));
};

const flood = (response: ServerResponse, chunks: number): void => {
  let sent = 0;
  const go = (): void => {
    while (sent < chunks && !response.destroyed) {
      sent += 1;
      if (!response.write(PIECE)) return void response.once('drain', go);
    }
    response.end(endOf(chunks));
  };
  go();
};

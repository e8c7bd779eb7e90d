import type { Answer } from './answer.ts';
import type { Parts } from './parts.ts';
import type { Running } from './running.ts';
import { settle } from './settle.ts';
import { settlePictures } from './tool-pictures.ts';

/**
 * Gives a whole reply to the caller. What it costs is written down before it is given away.
 * @param converted the reply in the caller's format; undefined where it goes out as it came
 */
export const giveWhole = async (
  parts: Parts,
  running: Running,
  answer: Extract<Answer, { kind: 'whole' }>,
  converted: Buffer | undefined,
): Promise<void> => {
  const { reply } = running.call;
  running.reply = answer.body;
  running.checkReply?.(converted === undefined ? answer.body : JSON.parse(converted.toString()));
  await settle(parts, running);
  if (running.pictures !== undefined) await settlePictures(parts, running);
  const bytes = converted ?? answer.bytes;
  // Some upstreams answer 201; in the caller's format an answer is 200.
  reply.start(converted === undefined ? answer.status : 200, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...running.rateHeaders,
  });
  reply.end(bytes);
};

import { parentPort } from 'node:worker_threads';
import { asAppError } from '#core/error.ts';
import type { WordOptions } from '#core/words/check-words.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import { mayTakeLong } from '../dialects/document/inflate.ts';
import { plainWires } from '../dialects/plain-wires.ts';
import { providerOf } from '../providers/registry.ts';
import { FarWork } from '../relay/far/far-desk.ts';
import { errorToWire, type FarQuestion } from '../relay/far/far-wire.ts';
import type { FarRequest, FarSaid } from './far-threads.ts';

const port = parentPort;
if (port === null) throw new Error('far-worker.ts runs as a worker thread');
mayTakeLong();

const works = new Map<number, FarWork>();
/** The list is sent only when it changes. */
let listed = '';

const wordsOf = (words: WordOptions | undefined): WordOptions | undefined => {
  if (words === undefined) return undefined;
  if (words.SensitiveWords !== '') listed = words.SensitiveWords;
  return { ...words, SensitiveWords: listed };
};

const isHeard = ({ kind }: FarQuestion): boolean => kind === 'reply' || kind === 'event' || kind === 'kept';

port.on('message', (request: FarRequest) => {
  const { id, desk, question } = request;
  if (question === undefined) {
    works.delete(desk);
    return;
  }
  const work =
    works.get(desk) ?? new FarWork({ dialects: chatDialects, wires: plainWires, upstreamOf: providerOf });
  // An upstream's reply is read in one step, so nothing is remembered between messages.
  if (!isHeard(question)) works.set(desk, work);
  const reply = ((): FarSaid => {
    try {
      const words = question.kind === 'read' ? wordsOf(question.words) : undefined;
      return { id, answer: work.answer(question, words) };
    } catch (thrown) {
      return { id, error: errorToWire(asAppError(thrown)) };
    }
  })();
  const { answer } = reply;
  const bytes = answer !== undefined && 'bytes' in answer ? answer.bytes : undefined;
  const handed = bytes === undefined ? [] : [bytes.buffer as ArrayBuffer];
  port.postMessage(reply, handed);
});

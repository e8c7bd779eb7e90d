import { hideCosts } from '../../dialects/hide-costs.ts';
import { AT_ONCE_MAX_BYTES } from '#core/json/bounds.ts';
import { joined } from '#core/read-all.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import type { ReplyOptions } from '#core/words/check-reply.ts';
import { type KeptReply, readKeptReply } from '../kept/kept-reply.ts';
import type { FarAnswers, FarKept, FarThreads } from './far-wire.ts';
import { bufferOf, copied, ofItsOwn } from './own-bytes.ts';

/** An answer about something an upstream keeps: its bytes with our key masked, and the facts we need. */
export interface KeptAnswer {
  readonly bytes: Buffer;
  readonly reply: KeptReply;
}

/** Reads an answer about a kept response or conversation, in another thread if it is large. */
export const readKept = async (
  threads: FarThreads | undefined,
  pieces: readonly Buffer[],
  secrets: Secrets,
  words?: ReplyOptions,
): Promise<KeptAnswer> => {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (threads !== undefined && length > AT_ONCE_MAX_BYTES) {
    const { texts, hosts } = secrets;
    const answer = await threads.hear<'kept'>({
      kind: 'kept',
      bytes: await copied(pieces),
      secrets: { texts, hosts },
      words,
    });
    if (answer !== undefined) return { bytes: bufferOf(answer.bytes), reply: answer.reply };
  }
  return maskAndRead(joined(pieces), secrets, words);
};

const maskAndRead = (bytes: Buffer, secrets: Secrets, words: ReplyOptions | undefined): KeptAnswer => {
  const masked = secrets.mask(bytes);
  hideCosts(masked);
  return { bytes: masked, reply: readKeptReply(masked, words) };
};

/** Reads such an answer, in the worker thread. */
export const readFarKept = ({ bytes, secrets: { texts, hosts }, words }: FarKept): FarAnswers['kept'] => {
  const read = maskAndRead(bufferOf(bytes), new Secrets(texts, hosts), words);
  return { bytes: ofItsOwn(read.bytes), reply: read.reply };
};

import { checksPrompts } from '#core/words/check-words.ts';
import type { WordCheck } from '#core/words/check-words.ts';
import { promptsIn } from '../../dialects/openai-realtime/said.ts';
import type { RelayDeps } from '../ports.ts';
import { known, type Running } from '../running.ts';

type CheckDeps = Pick<RelayDeps, 'routing' | 'log'> & { readonly checkWords: WordCheck };

/**
 * Throws where what a caller says to a conversation in writing has a word it may not have. By the list as it is now: a
 * conversation may be older. What is spoken is not heard here.
 */
export const checkSaid = ({ routing, log, checkWords }: CheckDeps, turn: Running, message: Buffer): void => {
  const { options } = routing();
  if (!checksPrompts(options)) return;
  const { user } = known(turn.caller, 'authenticate');
  const { requestId } = turn.call;
  const report = (word: string): void =>
    log.warn('a prompt has a sensitive word', { word, user: user.id, requestId });
  for (const prompt of promptsIn(message)) checkWords(options, prompt, report);
};

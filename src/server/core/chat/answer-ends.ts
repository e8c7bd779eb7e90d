import { AppError } from '../error.ts';
import type { ChatEvent, FinishReason } from './event.ts';

type Finish = Extract<ChatEvent, { type: 'finish' }>;

const SAID: ReadonlySet<ChatEvent['type']> = new Set<ChatEvent['type']>([
  'text-delta',
  'refusal-delta',
  'tool-call-start',
  'audio-delta',
  'image',
]);

interface Answer {
  state: 'speaks' | 'calls' | 'over';
  /** The indexes of calls that have no arguments yet. */
  readonly bare: Set<number>;
}

/**
 * Makes sure each answer ends well, for callers of other formats. If a turn was paused or cancelled before any content,
 * and the caller's format cannot say so, it becomes an error: clients would read it as a complete empty answer. A
 * complete answer without a finish event gets one, because clients wait for it. One that stops with calls ends because
 * of them, and a call without arguments gets `{}`, because clients look for the word and parse the text.
 */
export class AnswerEnds {
  #hasSpoken = false;
  readonly #answers = new Map<number, Answer>();

  take(event: ChatEvent): readonly ChatEvent[] {
    if (event.type === 'finish') return this.#end(event);
    this.#note(event);
    this.#hasSpoken ||= SAID.has(event.type);
    return [event];
  }

  /**
   * The missing finish events, once the response is over. A response without any readable choice counts as one answer.
   */
  missing(reason: FinishReason = 'stop'): ChatEvent[] {
    if (this.#answers.size === 0) this.#answerOf(0);
    return [...this.#answers].flatMap(([choice, { state }]) =>
      state === 'over' ? [] : this.#end({ type: 'finish', choice, reason }),
    );
  }

  #end(finish: Finish): ChatEvent[] {
    const { choice, reason } = finish;
    const answer = this.#answerOf(choice);
    const calls = answer.state === 'calls';
    answer.state = 'over';
    if (!this.#hasSpoken && (reason === 'other' || reason === 'pause')) return [hollow(reason)];
    if (!calls || (reason !== 'stop' && reason !== 'tool-calls')) return [finish];
    const none = [...answer.bare].map((index): ChatEvent => ({
      type: 'tool-call-delta',
      choice,
      index,
      argumentsText: '{}',
    }));
    answer.bare.clear();
    return [...none, { ...finish, reason: 'tool-calls' }];
  }

  #note(event: ChatEvent): void {
    if (!('choice' in event)) return;
    const answer = this.#answerOf(event.choice);
    if (event.type === 'tool-call-start') {
      answer.state = 'calls';
      answer.bare.add(event.index);
    } else if (event.type === 'tool-call-delta' && event.argumentsText !== '') {
      answer.bare.delete(event.index);
    }
  }

  #answerOf(choice: number): Answer {
    let answer = this.#answers.get(choice);
    if (answer === undefined) this.#answers.set(choice, (answer = { state: 'speaks', bare: new Set() }));
    return answer;
  }
}

const hollow = (reason: string): ChatEvent => {
  const message = `the model ended its turn without an answer (${reason})`;
  return {
    type: 'error',
    error: new AppError('upstream_failed', message, {
      reason: 'malformed_answer',
      upstream: { status: 0, type: reason, message },
    }),
  };
};

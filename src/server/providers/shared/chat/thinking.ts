import { budgetOfEffort, effortOfBudget } from '#core/chat/effort.ts';
import type { Reasoning } from '#core/chat/request.ts';
import type { Egress } from '../../../dialects/dialect.ts';
import type { Fields } from '#core/json/fields.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';

type Effort = NonNullable<Reasoning['effort']>;

/** What a caller of another format asks for. Where it asks for nothing, `isOn` and `isOff` are both false. */
interface Wanted {
  readonly isOn: boolean;
  readonly isOff: boolean;
  readonly effort: Effort | undefined;
  readonly budgetTokens: number | undefined;
}

/** Writes the thinking fields of one provider, from its published reference. */
export type WriteThinking = (wanted: Wanted, model: string) => Fields;

/** OpenAI's chat with a provider's own thinking fields. Callers of this format set those fields themselves. */
export const chatThinking = (writeThinking: WriteThinking): Egress => ({
  ...openaiChat,
  writeRequest: (request) => {
    const { reasoning_effort: _, ...body } = openaiChat.writeRequest(request);
    return { ...body, ...writeThinking(wantedOf(request.reasoning ?? {}), request.model) };
  },
});

const wantedOf = ({ enabled, effort, budgetTokens }: Reasoning): Wanted => {
  const isOff = enabled === false || effort === 'none' || (budgetTokens === 0 && effort === undefined);
  const isOn = !isOff && (enabled === true || effort !== undefined || budgetTokens !== undefined);
  const word = effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens));
  return { isOn, isOff, effort: isOn ? word : undefined, budgetTokens: isOn ? budgetTokens : undefined };
};

/** `on` or `off`; undefined where the caller asked for neither. */
export const switched = <Value>({ isOn, isOff }: Wanted, on: Value, off: Value): Value | undefined =>
  isOn ? on : isOff ? off : undefined;

/** One field as an object; empty where the value is undefined. */
export const field = (name: string, value: unknown): Fields => (value === undefined ? {} : { [name]: value });

/** `thinking` as an object with a type. */
export const typed = (type: string | undefined): Fields => field('thinking', type && { type });

/** For providers whose only efforts are `low`, `high` and `max`. */
export const inThree = (effort: Effort | undefined): string | undefined => {
  if (effort === undefined || effort === 'max') return effort;
  return effort === 'minimal' || effort === 'low' ? 'low' : 'high';
};

/** For providers whose only efforts are `low`, `medium` and `high`. */
export const inWords = (effort: Effort | undefined): string | undefined => {
  if (effort === undefined || effort === 'medium') return effort;
  return effort === 'minimal' || effort === 'low' ? 'low' : 'high';
};

/** The budget in tokens that was asked for, or that fits the effort. */
export const budgetOf = ({ budgetTokens, effort }: Wanted): number | undefined =>
  budgetTokens ?? (effort === undefined ? undefined : budgetOfEffort(effort));

/** Source: docs.mistral.ai, reasoning. Large models accept every effort, the others only `high` and `none`. */
export const mistralThinking: WriteThinking = (wanted, model) => {
  if (!/mistral-(?:small|medium|large)/.test(model)) return {};
  if (/large/.test(model)) return field('reasoning_effort', wanted.isOff ? 'none' : inWords(wanted.effort));
  return field('reasoning_effort', switched(wanted, 'high', 'none'));
};

/** For providers that accept OpenAI's efforts and `none` (docs.ollama.com, docs.fireworks.ai). */
export const wordsAndNone: WriteThinking = (wanted) =>
  field('reasoning_effort', wanted.isOff ? 'none' : inWords(wanted.effort));

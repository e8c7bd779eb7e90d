import { budgetOfEffort, effortOfBudget } from '#core/chat/effort.ts';
import type { Reasoning } from '#core/chat/request.ts';
import type { Egress } from '../dialects/dialect.ts';
import type { Fields } from '../dialects/openai/fields.ts';
import { openaiChat } from '../dialects/openai-chat/openai-chat.ts';

type Effort = NonNullable<Reasoning['effort']>;

/** What a caller of another format asks of a model's thinking; neither `isOn` nor `isOff` where it says nothing. */
interface Wanted {
  readonly isOn: boolean;
  readonly isOff: boolean;
  readonly effort: Effort | undefined;
  readonly budgetTokens: number | undefined;
}

/** The fields by which one provider is told how to think, each from its published reference. */
export type SayThinking = (wanted: Wanted, model: string) => Fields;

/** OpenAI's chat where thinking is asked for in fields of a provider's own. Callers of that format say them themselves. */
export const chatThinking = (say: SayThinking): Egress => ({
  ...openaiChat,
  writeRequest: (request) => {
    const { reasoning_effort: _, ...body } = openaiChat.writeRequest(request);
    return { ...body, ...say(wantedOf(request.reasoning ?? {}), request.model) };
  },
});

const wantedOf = ({ enabled, effort, budgetTokens }: Reasoning): Wanted => {
  const isOff = enabled === false || effort === 'none' || (budgetTokens === 0 && effort === undefined);
  const isOn = !isOff && (enabled === true || effort !== undefined || budgetTokens !== undefined);
  const word = effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens));
  return { isOn, isOff, effort: isOn ? word : undefined, budgetTokens: isOn ? budgetTokens : undefined };
};

/** A switch, where something is said of it. */
const switched = <Value>({ isOn, isOff }: Wanted, on: Value, off: Value): Value | undefined =>
  isOn ? on : isOff ? off : undefined;

/** A field, where there is something to say in it. */
const field = (name: string, value: unknown): Fields => (value === undefined ? {} : { [name]: value });

const typed = (type: string | undefined): Fields => field('thinking', type && { type });

/** `low`, `high` and `max` are all the words there are. */
const inThree = (effort: Effort | undefined): string | undefined => {
  if (effort === undefined || effort === 'max') return effort;
  return effort === 'minimal' || effort === 'low' ? 'low' : 'high';
};

/** `low`, `medium` and `high` are all the words there are. */
const inWords = (effort: Effort | undefined): string | undefined => {
  if (effort === undefined || effort === 'medium') return effort;
  return effort === 'minimal' || effort === 'low' ? 'low' : 'high';
};

const budgetOf = ({ budgetTokens, effort }: Wanted): number | undefined =>
  budgetTokens ?? (effort === undefined ? undefined : budgetOfEffort(effort));

/** Source: api-docs.deepseek.com/guides/thinking_mode. */
export const deepseekThinking: SayThinking = (wanted) => ({
  ...typed(switched(wanted, 'enabled', 'disabled')),
  ...field('reasoning_effort', inThree(wanted.effort)),
});

/** Source: docs.bigmodel.cn, deep thinking. Since GLM-5.2 there are words; from 5.3 on it cannot be switched off. */
export const zhipuThinking: SayThinking = (wanted, model) => {
  const isAlwaysOn = /glm-(?:5\.[3-9]|[6-9])/i.test(model);
  const knowsWords = isAlwaysOn || /glm-5\.2/i.test(model);
  return {
    ...typed(wanted.isOff && isAlwaysOn ? undefined : switched(wanted, 'enabled', 'disabled')),
    ...(knowsWords && field('reasoning_effort', inThree(wanted.effort))),
  };
};

/** Source: platform.kimi.com/docs: K2.5 and K2.6 have a switch, K3 has words, others think as they do. */
export const moonshotThinking: SayThinking = (wanted, model) => {
  if (/k2\.[56]/i.test(model)) return typed(switched(wanted, 'enabled', 'disabled'));
  return /k[3-9]/i.test(model) ? field('reasoning_effort', inThree(wanted.effort)) : {};
};

/** Source: help.aliyun.com/zh/model-studio/deep-thinking. */
export const alibabaThinking: SayThinking = (wanted) => ({
  ...field('enable_thinking', switched(wanted, true, false)),
  ...field('thinking_budget', budgetOf(wanted)),
});

const BUDGETS_OF_SILICON = { least: 128, most: 32_768 };

/** Source: docs.siliconflow.cn, chat completions. */
export const siliconThinking: SayThinking = (wanted) => {
  const { least, most } = BUDGETS_OF_SILICON;
  const budget = budgetOf(wanted);
  return {
    ...field('enable_thinking', switched(wanted, true, false)),
    ...field('thinking_budget', budget && Math.min(most, Math.max(least, budget))),
  };
};

/** Source: www.volcengine.com/docs/82379, deep thinking. */
export const volcengineThinking: SayThinking = (wanted) => ({
  ...typed(switched(wanted, 'enabled', 'disabled')),
  ...field('reasoning_effort', wanted.effort === 'minimal' ? 'minimal' : inWords(wanted.effort)),
});

/** Source: platform.minimaxi.com/docs, OpenAI API: without the split, thoughts stand in the text between tags. */
export const minimaxThinking: SayThinking = (wanted) => ({
  reasoning_split: true,
  ...typed(switched(wanted, 'adaptive', 'disabled')),
});

/** Source: cloud.baidu.com/doc/qianfan-api, chat completions. */
export const baiduThinking: SayThinking = (wanted) => field('enable_thinking', switched(wanted, true, false));

/** Source: openrouter.ai/docs/guides/best-practices/reasoning-tokens. */
export const openrouterThinking: SayThinking = (wanted) => {
  if (wanted.isOff) return { reasoning: { effort: 'none' } };
  if (!wanted.isOn) return {};
  const { budgetTokens, effort } = wanted;
  if (budgetTokens !== undefined) return { reasoning: { max_tokens: budgetTokens } };
  return { reasoning: effort === undefined ? { enabled: true } : { effort } };
};

/** Source: console.groq.com/docs/reasoning: what is not parsed stands in the text; gpt-oss parses always. */
export const groqThinking: SayThinking = (wanted, model) => {
  if (/gpt-oss/.test(model)) return field('reasoning_effort', inWords(wanted.effort));
  if (!/qwen|deepseek-r1/i.test(model)) return {};
  return { reasoning_format: 'parsed', ...field('reasoning_effort', switched(wanted, 'default', 'none')) };
};

/** Source: inference-docs.cerebras.ai/capabilities/reasoning. */
export const cerebrasThinking: SayThinking = (wanted, model) =>
  field('reasoning_effort', wanted.isOff && !/gpt-oss/.test(model) ? 'none' : inWords(wanted.effort));

/** Source: docs.together.ai, reasoning. */
export const togetherThinking: SayThinking = (wanted, model) => {
  const enabled = switched(wanted, true, false);
  return {
    ...(!/gpt-oss/.test(model) && field('reasoning', enabled === undefined ? undefined : { enabled })),
    ...(/gpt-oss|GLM-5\.[3-9]/i.test(model) && field('reasoning_effort', inWords(wanted.effort))),
  };
};

/** Source: docs.x.ai, reasoning: some models refuse to be told. */
export const xaiThinking: SayThinking = (wanted, model) => {
  if (wanted.isOff) return /grok-4\.3/.test(model) ? { reasoning_effort: 'none' } : {};
  const isTold = /grok-3-mini|grok-4\.[3-9](?!\d)|grok-[5-9]/.test(model);
  return isTold ? field('reasoning_effort', inWords(wanted.effort)) : {};
};

/** Source: docs.mistral.ai, reasoning: the large ones know every word, the others all or nothing. */
export const mistralThinking: SayThinking = (wanted, model) => {
  if (!/mistral-(?:small|medium|large)/.test(model)) return {};
  if (/large/.test(model)) return field('reasoning_effort', wanted.isOff ? 'none' : inWords(wanted.effort));
  return field('reasoning_effort', switched(wanted, 'high', 'none'));
};

/** For those that know OpenAI's words, and `none` (docs.ollama.com, docs.fireworks.ai). */
export const wordsAndNone: SayThinking = (wanted) =>
  field('reasoning_effort', wanted.isOff ? 'none' : inWords(wanted.effort));

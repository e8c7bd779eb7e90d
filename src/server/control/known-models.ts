import { channelTypes } from '#contract/channel-types.ts';
import { taskPrices } from '#core/task/task-price.ts';

/** Well-known model names, to choose from before an upstream was asked for its own. */
export interface KnownModels {
  /** By channel type; types nobody publishes a list for are absent. */
  readonly byType: ReadonlyMap<number, readonly string[]>;
  /** Every name once, sorted. */
  readonly all: readonly string[];
}

/** Types whose address does not tell whose models they serve. */
const PROVIDER_OF_TYPE: Readonly<Record<number, string>> = { 3: 'azure', 33: 'aws', 41: 'google' };
/** These sell other makers' models under one address; a channel of the type reaches only its own. */
const OWN_MODELS: Readonly<Record<number, RegExp>> = { 11: /^(?!claude)/, 24: /^(?!claude)/ };

const taskModels = Object.keys(taskPrices);
const music = taskModels.filter((name) => name.startsWith('suno_'));
const drawing = taskModels.filter((name) => !name.startsWith('suno_'));
/** What is drawn and played has names of our own. */
const TASK_MODELS: readonly (readonly [number, readonly string[]])[] = [
  [2, drawing],
  [5, drawing],
  [36, music],
];

/** Reads the price catalogue's lists: the same package that prices them. */
export const readKnownModels = async (): Promise<KnownModels> => {
  const { findProvider } = await import('@pydantic/genai-prices');
  const byType = new Map<number, readonly string[]>(TASK_MODELS);
  for (const { id, baseUrl } of channelTypes) {
    const providerId = PROVIDER_OF_TYPE[id];
    const provider =
      providerId !== undefined
        ? findProvider({ providerId })
        : baseUrl === ''
          ? undefined
          : findProvider({ providerApiUrl: baseUrl });
    const own = OWN_MODELS[id];
    const names = (provider?.models ?? [])
      .filter((model) => model.deprecated !== true && (own?.test(model.id) ?? true))
      .map((model) => model.id);
    if (names.length > 0) byType.set(id, names.sort());
  }
  return { byType, all: [...new Set([...byType.values()].flat())].sort() };
};

import { channelTypes } from '#contract/channel-types.ts';
import { taskPrices } from '#core/task/task-price.ts';

/** Well-known model names to choose from before the upstream was asked. */
export interface KnownModels {
  /** By channel type; types without a published list are absent. */
  readonly byType: ReadonlyMap<number, readonly string[]>;
  /** Every name once, sorted. */
  readonly all: readonly string[];
}

/** What a provider's folder states about its models. */
interface ModelsOfKind {
  readonly models?: readonly string[];
  /** The prefix missing from the catalogue's names. */
  readonly modelPrefix?: string;
}

const taskModels = Object.keys(taskPrices);
const music = taskModels.filter((name) => name.startsWith('suno_'));
const drawing = taskModels.filter((name) => !name.startsWith('suno_'));
/** Drawing and music models have names that this family of gateways made up. */
const TASK_MODELS: readonly (readonly [number, readonly string[]])[] = [
  [2, drawing],
  [5, drawing],
  [36, music],
];

/** The providers' own lists, or the price catalogue's for types that have none. */
export const readKnownModels = async (
  upstreamOf: (channelType: number) => ModelsOfKind | undefined,
): Promise<KnownModels> => {
  const { findProvider } = await import('@pydantic/genai-prices');
  const catalogued = (baseUrl: string, prefix: string): readonly string[] => {
    const provider = baseUrl === '' ? undefined : findProvider({ providerApiUrl: baseUrl });
    return (provider?.models ?? [])
      .filter((model) => model.deprecated !== true)
      .map((model) => prefix + model.id)
      .sort();
  };
  const byType = new Map<number, readonly string[]>(TASK_MODELS);
  for (const { id, baseUrl } of channelTypes) {
    const { models, modelPrefix = '' } = upstreamOf(id) ?? {};
    const names = models ?? catalogued(baseUrl, modelPrefix);
    if (names.length > 0) byType.set(id, names);
  }
  return { byType, all: [...new Set([...byType.values()].flat())].sort() };
};

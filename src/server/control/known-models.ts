import { channelTypes } from '#contract/channel-types.ts';
import { taskPrices } from '#core/task/task-price.ts';
import { ownModels } from './own-models.ts';

/** Well-known model names, to choose from before an upstream was asked for its own. */
export interface KnownModels {
  /** By channel type; types nobody publishes a list for are absent. */
  readonly byType: ReadonlyMap<number, readonly string[]>;
  /** Every name once, sorted. */
  readonly all: readonly string[];
}

/** The catalogue's names lack what these put before them (docs.fireworks.ai, querying text models). */
const PREFIX: Readonly<Record<number, string>> = { 102: 'accounts/fireworks/models/' };

const taskModels = Object.keys(taskPrices);
const music = taskModels.filter((name) => name.startsWith('suno_'));
const drawing = taskModels.filter((name) => !name.startsWith('suno_'));
/** What is drawn and played has names of our own. */
const TASK_MODELS: readonly (readonly [number, readonly string[]])[] = [
  [2, drawing],
  [5, drawing],
  [36, music],
];

/** Lists of our own, and where there is none the price catalogue's: the same package that prices them. */
export const readKnownModels = async (): Promise<KnownModels> => {
  const { findProvider } = await import('@pydantic/genai-prices');
  const catalogued = (id: number, baseUrl: string): readonly string[] => {
    const provider = baseUrl === '' ? undefined : findProvider({ providerApiUrl: baseUrl });
    return (provider?.models ?? [])
      .filter((model) => model.deprecated !== true)
      .map((model) => (PREFIX[id] ?? '') + model.id)
      .sort();
  };
  const byType = new Map<number, readonly string[]>(TASK_MODELS);
  for (const { id, baseUrl } of channelTypes) {
    const names = ownModels[id] ?? catalogued(id, baseUrl);
    if (names.length > 0) byType.set(id, names);
  }
  return { byType, all: [...new Set([...byType.values()].flat())].sort() };
};

import { DEFAULT_MODEL } from '#contract/codes.ts';
import { useState } from 'react';
import { readStoredJson, store } from '../../../lib/browser/stored.ts';
import { DEFAULT_FORMAT, isChatFormat } from '../wire/chat-format.ts';
import type { ChatSettings } from '../wire/chat-request.ts';

const DEFAULT_SYSTEM_PROMPT = 'You are a helpful assistant.';

export interface Offered {
  /** Undefined while they are not known, as are the models. */
  readonly groups: readonly string[] | undefined;
  readonly models: readonly string[] | undefined;
}

const keyOf = (userId: number): string => `playground_config:${userId}`;

const storedSettings = (userId: number): ChatSettings => {
  const value = readStoredJson(keyOf(userId));
  const fields: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  const text = (name: string, fallback: string): string => {
    const found = fields[name];
    return typeof found === 'string' ? found : fallback;
  };
  const number = (name: string, max: number): number => {
    const found = fields[name];
    return typeof found === 'number' && found >= 0 && found <= max ? found : 0;
  };
  const format = text('format', DEFAULT_FORMAT);
  return {
    format: isChatFormat(format) ? format : DEFAULT_FORMAT,
    group: text('group', ''),
    model: text('model', DEFAULT_MODEL),
    temperature: number('temperature', 1),
    sendsTemperature: fields['sendsTemperature'] === true,
    maxTokens: number('maxTokens', Number.MAX_SAFE_INTEGER),
    systemPrompt: text('systemPrompt', DEFAULT_SYSTEM_PROMPT),
    extra: text('extra', ''),
  };
};

/** Falls back to the first group, and to an available model, if the stored choice is not offered. */
export const within = (chosen: ChatSettings, { groups, models }: Offered): ChatSettings => ({
  ...chosen,
  group: groups === undefined || groups.includes(chosen.group) ? chosen.group : (groups[0] ?? ''),
  model: models === undefined || models.includes(chosen.model) ? chosen.model : firstModel(models),
});

const firstModel = (models: readonly string[]): string =>
  models.includes(DEFAULT_MODEL) ? DEFAULT_MODEL : (models[0] ?? '');

/** The panel's settings, stored per user in this browser. */
export const useChatSettings = (
  userId: number,
  offered: Offered,
): readonly [ChatSettings, (patch: Partial<ChatSettings>) => void] => {
  const [chosen, setChosen] = useState(() => storedSettings(userId));
  return [
    within(chosen, offered),
    // Stores changes. A choice that is not offered at the moment is kept.
    (patch) => {
      const next = { ...chosen, ...patch };
      store(keyOf(userId), JSON.stringify(next));
      setChosen(next);
    },
  ];
};

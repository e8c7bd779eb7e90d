import { expect, it } from 'vitest';
import { channelTypes } from '#contract/channel-types.ts';
import { providerOf } from '../../providers/registry.ts';
import { readKnownModels } from './known-models.ts';

const { byType, all } = await readKnownModels(providerOf);
const namesOf = (type: number): readonly string[] => byType.get(type) ?? [];

/**
 * Types without a fixed model list: an application is the model, the address may be anyone's, or the service has
 * closed.
 */
const NAMELESS = [8, 21, 22, 37, 47, 49, 106, 108];

const named = channelTypes.filter(({ id }) => !NAMELESS.includes(id));

it.each(named.map(({ id, label }) => [id, label] as const))(
  'type %i (%s): its models are offered before it was asked for them',
  (id) => {
    const names = namesOf(id);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name === '' || /[\s,]/.test(name))).toEqual([]);
    expect(all).toEqual(expect.arrayContaining([...names]));
  },
);

it.each(NAMELESS)('type %i: no models are made up', (id) => {
  expect(namesOf(id)).toEqual([]);
});

it.each([
  [1, 'gpt-6-sol', 'gpt-4-32k'], // shut down 6 June 2025
  [1, 'omni-moderation-latest', 'o1-mini'],
  [3, 'gpt-5.4', 'phi-4-reasoning:free'], // a name of OpenRouter's
  [14, 'claude-opus-5-5', 'claude-opus-4-1'], // retired 5 August 2026
  [14, 'claude-haiku-5-5', 'claude-3-haiku'],
  [20, 'anthropic/claude-opus-5.5', 'anthropic/claude-2'],
  [24, 'gemini-3.8-flash', 'gemini-2.0-flash'],
  [24, 'gemini-embedding-001', 'claude-opus-5'], // Vertex AI's, not this address's
  [24, 'gemini-4-argon', 'gemini-2.0-flash-lite'],
  [26, 'glm-5.3', 'GLM-5.3'], // the interface spells them small
  [27, 'perplexity/sonar', 'llama-3.1-sonar-large-128k-online'],
  [33, 'claude-opus-5-5', 'regional.anthropic.claude-opus-5'], // no name of Bedrock's
  [34, 'command-a-03-2025', 'command'], // shut down 15 September 2025
  [41, 'gemini-4-argon', 'gemini-1.5-pro'],
  [43, 'deepseek-flash', 'deepseek-chat'], // ended 24 July 2026
  [48, 'grok-4.6', 'grok-3'], // retired 15 May 2026
  [100, 'openai/gpt-oss-120b', 'llama-3.3-70b-versatile'], // shut down 16 August 2026
  [107, 'spacexai/grok-4.7', 'xai/grok-4.6'],
  [102, 'accounts/fireworks/models/kimi-k3', 'kimi-k3'],
])('type %i: %s is offered, %s no longer', (type, current, old) => {
  expect(namesOf(type)).toContain(current);
  expect(namesOf(type)).not.toContain(old);
});

import { expect, it } from 'vitest';
import { found, kindOf, type PricedModel, type PriceSearch, abilitiesOf } from './priced-model.ts';

const model = (name: string, more: Partial<PricedModel> = {}): PricedModel => ({
  model_name: name,
  quota_type: 0,
  model_ratio: 1,
  completion_ratio: 1,
  cache_ratio: 1,
  model_price: 0,
  owner_by: '',
  context_window: 0,
  enable_groups: Object.keys(more.prices ?? { default: 1 }),
  prices: { default: { prompt: 1, completion: 1, cached: 1 } },
  variants: [],
  ...more,
});

const models = [
  model('claude-a', {
    context_window: 200_000,
    cache_ratio: 0.1,
    prices: {
      default: { prompt: 3, completion: 15, cached: 0.3 },
      vip: { prompt: 6, completion: 30, cached: 0.6 },
    },
  }),
  model('gpt-b', { prices: { default: { prompt: 0.5, completion: 20, cached: 0.5 } } }),
  model('text-embedding-3', { prices: { vip: { prompt: 0.1, completion: 0.1, cached: 0.1 } } }),
  model('mj_imagine', { quota_type: 1, prices: { default: { call: 0.1 } } }),
];
const names = (search: Partial<PriceSearch>) =>
  found(models, { group: 'default', words: '', vendor: '', ability: '', sort: '', ...search }).map(
    (one) => one.model_name,
  );

it('finds models of the group by word, maker and ability', () => {
  expect(names({})).toEqual(['claude-a', 'gpt-b', 'mj_imagine']);
  expect(names({ group: 'vip' })).toEqual(['claude-a', 'text-embedding-3']);
  expect(names({ words: ' GPT' })).toEqual(['gpt-b']);
  expect(names({ vendor: 'Anthropic' })).toEqual(['claude-a']);
  expect(names({ ability: 'cache' })).toEqual(['claude-a']);
  expect(names({ ability: 'image' })).toEqual(['mj_imagine']);
  expect(names({ ability: 'nothing' })).toEqual([]);
});

it("sorts by the group's prices, models without one last in both directions", () => {
  expect(names({ sort: 'input' })).toEqual(['mj_imagine', 'gpt-b', 'claude-a']);
  expect(names({ sort: '-output' })).toEqual(['gpt-b', 'claude-a', 'mj_imagine']);
  expect(names({ sort: 'cached' })).toEqual(['claude-a', 'gpt-b', 'mj_imagine']);
  expect(names({ sort: '-context' })).toEqual(['claude-a', 'gpt-b', 'mj_imagine']);
  expect(names({ sort: '-model' })).toEqual(['mj_imagine', 'gpt-b', 'claude-a']);
});

it('guesses the kind of a model from its name', () => {
  const kinds = Object.entries({
    'gpt-4o': 'chat',
    'openai/text-embedding-3-small': 'embedding',
    'bge-m3': 'embedding',
    'bge-reranker-v2': 'rerank',
    'gpt-4o-transcribe': 'transcription',
    'gpt-4o-mini-tts': 'speech',
    'gpt-image-1': 'image',
    'imagen-4': 'image',
    'veo-3': 'video',
    suno_music: 'music',
    swap_face: 'image',
  });
  expect(kinds.map(([name]) => [name, kindOf(name)])).toEqual(kinds);
});

it('finds the traits of a price: cheaper cache reads, long context, service tiers', () => {
  expect(models.map(abilitiesOf)).toEqual([['chat', 'cache', 'long'], ['chat'], ['embedding'], ['image']]);
  const tiers = model('x', { variants: [{ kind: 'tier', name: 'flex', input: 0.5, output: 0.5, call: 1 }] });
  expect(abilitiesOf(tiers)).toEqual(['chat', 'tiers']);
});

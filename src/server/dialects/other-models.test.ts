import { describe, expect, test } from 'vitest';
import type { Fields } from '#core/json/fields.ts';
import { assertOneModel, withoutModelLists } from './other-models.ts';

/** Only the model that was checked and priced may answer. */

const refused = (body: Fields): string | undefined => {
  try {
    assertOneModel({ model: 'cheap', ...body }, ['cheap', 'alias']);
    return undefined;
  } catch (error) {
    return (error as { param?: string }).param;
  }
};
const advisorTool = (model: string): Fields => ({ type: 'advisor_20260301', name: 'advisor', model });
const advisor = (model: string): Fields => ({ tools: [advisorTool(model)] });

describe('another model than the one asked for', () => {
  test.each<[string, Fields]>([
    ['models', { models: ['cheap', 'dear'] }],
    ['fallbacks', { fallbacks: [{ model: 'dear', max_tokens: 9 }] }],
    ['fallbacks', { fallbacks: ['dear'] }],
    ['fallbacks', { fallbacks: [{ cheap: ['dear'] }] }],
    ['fallbacks', { fallbacks: 'default' }],
    ['fallbacks', { fallbacks: { cheap: ['dear'] } }],
    ['extra_body.models', { extra_body: { models: ['dear'] } }],
    ['context_window_fallbacks', { context_window_fallbacks: [{ cheap: ['dear'] }] }],
    [
      'generationConfig.routingConfig',
      { generationConfig: { routingConfig: { manualMode: { modelName: 'dear' } } } },
    ],
    [
      'generation_config.model_selection_config',
      { generation_config: { model_selection_config: { featureSelectionPreference: 'PRIORITIZE_QUALITY' } } },
    ],
    ['extra_body.models', { extra_body: { models: ['cheap'] } }],
    ['extra_body.model', { extra_body: { model: 'dear' } }],
    ['providerOptions.gateway.models', { providerOptions: { gateway: { models: ['dear'] } } }],
    ['extra_body', { extra_body: '{"model":"dear"}' }],
    ['extraBody', { extraBody: ' \n{"n":9}' }],
    ['providerOptions', { providerOptions: '{}' }],
    ['extra_body.Models', { extra_body: { Models: ['dear'] } }],
    ['preset', { preset: 'deep-research' }],
    ['tools.0.model', advisor('dear')],
    [
      'messages.0.content.0.tool.definition.model',
      {
        messages: [
          {
            role: 'system',
            content: [
              { type: 'tool_addition', tool: { type: 'tool_definition', definition: advisorTool('dear') } },
            ],
          },
        ],
      },
    ],
    ['input.0.tools.0.model', { input: [{ type: 'additional_tools', tools: [advisorTool('dear')] }] }],
    [
      'tools.1.parameters.model',
      {
        tools: [{ type: 'function' }, { type: 'openrouter:image_generation', parameters: { model: 'dear' } }],
      },
    ],
  ])('%s is refused', (param, body) => {
    expect(refused(body)).toBe(param);
  });

  test.each<[string, Fields]>([
    ['a word', { gateway: 'azure', extra_body: '' }],
    ['the same model', { models: ['cheap'], fallbacks: [{ model: 'alias' }] }],
    ['none', { models: [], fallbacks: null, fallback_models: '', generationConfig: { routingConfig: {} } }],
    [
      'the model itself, in objects that are unpacked',
      { extra_body: { model: 'cheap' }, providerOptions: { gateway: { order: ['azure'] } }, preset: '' },
    ],
    ['an advisor of the same model', advisor('cheap')],
    [
      'the model that draws, which has a price',
      { tools: [{ type: 'image_generation', model: 'gpt-image-1' }] },
    ],
    [
      'a tool with a field of that name',
      { tools: [{ type: 'function', function: { name: 'f' }, model: 'dear' }] },
    ],
  ])('%s goes out', (_, body) => {
    expect(refused(body)).toBeUndefined();
  });

  test('lists that name the same model, or none, are left out: the upstream calls it by another name', () => {
    const body = { model: 'cheap', models: ['cheap'], fallbacks: [], fallback_models: null, n: 1 };
    expect(withoutModelLists(body)).toEqual({ model: 'cheap', n: 1 });
    const plain = { model: 'cheap' };
    expect(withoutModelLists(plain)).toBe(plain);
  });
});

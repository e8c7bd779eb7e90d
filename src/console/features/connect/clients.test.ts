import { describe, expect, it } from 'vitest';
import type { Shell } from '../../lib/text/quoted.ts';
import { partText, type Site } from './client.ts';
import { clients } from './clients.ts';

const site: Site = {
  address: 'https://gate.example',
  key: 'sk-0123456789',
  model: 'gpt-small',
  smallModel: 'gpt-tiny',
  offered: ['gpt-small', 'gpt-tiny'],
  contextTokens: 200_000,
  name: 'Gate & Co',
};

const textsOf = (id: string, shell: Shell = 'bash', changes: Partial<Site> = {}): string =>
  (clients.find((client) => client.id === id)?.parts({ ...site, ...changes }) ?? [])
    .map((part) => partText(part, shell))
    .join('\n');

describe.each(clients.map((client) => [client.name, client] as const))('%s', (_, client) => {
  it('contains the address, the key and the model, and no empty placeholder', () => {
    const text = textsOf(client.id);
    expect(text).toContain('https://gate.example');
    expect(text).toContain('sk-0123456789');
    expect(text).toContain(client.id === 'env' ? '' : 'gpt-small');
    expect(text).not.toContain('undefined');
    expect(text).not.toContain('//v1');
  });

  it('has an import link, if it supports one, with everything filled in', () => {
    if (client.link === undefined) return;
    const link = new URL(client.link(site));
    const data = link.searchParams.get('data');
    const said = data === null ? decodeURIComponent(link.href) : atob(data);
    expect(said).toContain('https://gate.example');
    expect(said).toContain('sk-0123456789');
  });
});

it.each(['bash', 'powershell'] as const)('a model whose name is a command is none in %s', (shell) => {
  const model = 'x"; echo acted; $(id) `id`';
  for (const { id } of clients) {
    const text = textsOf(id, shell, { model, smallModel: model, offered: [`${model} claude opus`] });
    expect(text, id).not.toMatch(/(?<!\\)"(?:openai\/)?x"; echo/);
  }
  expect(textsOf('claude-code', shell, { model })).toContain(
    `ANTHROPIC_MODEL${shell === 'bash' ? '=' : ' = '}'x"; echo`,
  );
});

it('JSON files parse as JSON', () => {
  const files = clients.flatMap((client) => client.parts(site)).filter((part) => part.kind === 'file');
  for (const { file, text } of files.filter((part) => part.file.endsWith('.json')))
    expect(() => JSON.parse(text), file).not.toThrow();
});

it('tells programs of the OpenAI format /v1, those of the others the bare address', () => {
  expect(textsOf('codex')).toContain('base_url = "https://gate.example/v1"');
  expect(textsOf('claude-code')).toContain('ANTHROPIC_BASE_URL="https://gate.example"\n');
  expect(textsOf('gemini-cli')).toContain('GOOGLE_GEMINI_BASE_URL="https://gate.example"\n');
  expect(textsOf('openai-python')).toContain('base_url="https://gate.example/v1"');
  expect(textsOf('curl')).toContain('https://gate.example/v1/chat/completions');
});

it('sets variables in the syntax of the chosen shell', () => {
  expect(textsOf('aider')).toBe(
    'export OPENAI_API_BASE="https://gate.example/v1"\nexport OPENAI_API_KEY="sk-0123456789"\naider --model "openai/gpt-small"',
  );
  expect(textsOf('codex', 'powershell')).toContain('$env:GATEWAY_KEY = "sk-0123456789"\ncodex');
});

it('Claude Code gets a name for every kind of model it requests, and the context window of models it does not know', () => {
  const foreign = textsOf('claude-code');
  for (const kind of ['FABLE', 'OPUS', 'SONNET'])
    expect(foreign).toContain(`ANTHROPIC_DEFAULT_${kind}_MODEL="gpt-small"`);
  expect(foreign).toContain('ANTHROPIC_DEFAULT_HAIKU_MODEL="gpt-tiny"');
  expect(foreign).toContain('CLAUDE_CODE_MAX_CONTEXT_TOKENS="200000"');
  const offered = ['claude-opus-4-5', 'claude-opus-4-10', 'claude-haiku-4-5'];
  const own = textsOf('claude-code', 'bash', {
    model: 'claude-haiku-4-5',
    smallModel: 'claude-haiku-4-5',
    offered,
  });
  expect(own).toContain('ANTHROPIC_DEFAULT_OPUS_MODEL="claude-opus-4-10"');
  expect(own).toContain('ANTHROPIC_DEFAULT_SONNET_MODEL="claude-haiku-4-5"');
  expect(own).not.toContain('MAX_CONTEXT_TOKENS');
});

it('limits answers to what a small token can pay for, and to the context window', () => {
  expect(textsOf('claude-code')).toContain('CLAUDE_CODE_MAX_OUTPUT_TOKENS="32000"');
  expect(textsOf('claude-code', 'bash', { contextTokens: 40_000 })).toContain(
    'CLAUDE_CODE_MAX_OUTPUT_TOKENS="10000"',
  );
});

it('Codex and OpenCode get the context window, so that they shorten their history in time', () => {
  expect(textsOf('codex')).toContain('model_context_window = 200000\n');
  const config = JSON.parse(textsOf('opencode')) as { provider: { gateway: { models: unknown } } };
  expect(config.provider.gateway.models).toMatchObject({
    'gpt-small': { limit: { context: 200_000, output: 32_000 } },
  });
});

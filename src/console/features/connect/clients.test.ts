import { describe, expect, it } from 'vitest';
import { partText, type Shell } from './client.ts';
import { clients } from './clients.ts';

const site = { address: 'https://gate.example', key: 'sk-0123456789', model: 'gpt-small', name: 'Gate & Co' };

const textsOf = (id: string, shell: Shell = 'bash'): string =>
  (clients.find((client) => client.id === id)?.parts(site) ?? [])
    .map((part) => partText(part, shell))
    .join('\n');

describe.each(clients.map((client) => [client.name, client] as const))('%s', (_, client) => {
  it('names this site, the key and the model, and leaves no gap', () => {
    const text = textsOf(client.id);
    expect(text).toContain('https://gate.example');
    expect(text).toContain('sk-0123456789');
    expect(text).toContain(client.id === 'env' ? '' : 'gpt-small');
    expect(text).not.toContain('undefined');
    expect(text).not.toContain('//v1');
  });

  it('opens, where it can be opened, at an address that holds all it needs', () => {
    if (client.link === undefined) return;
    const link = new URL(client.link(site));
    const data = link.searchParams.get('data');
    const said = data === null ? decodeURIComponent(link.href) : atob(data);
    expect(said).toContain('https://gate.example');
    expect(said).toContain('sk-0123456789');
  });
});

it('files of JSON read as JSON', () => {
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

it('sets variables as the terminal at hand wants them', () => {
  expect(textsOf('aider')).toBe(
    'export OPENAI_API_BASE="https://gate.example/v1"\nexport OPENAI_API_KEY="sk-0123456789"\naider --model "openai/gpt-small"',
  );
  expect(textsOf('codex', 'powershell')).toContain('$env:GATEWAY_KEY = "sk-0123456789"\ncodex');
});

import { describe, expect, it } from 'vitest';
import { clients } from './clients.ts';

const site = { address: 'https://gate.example', key: 'sk-0123456789', model: 'gpt-small' };

describe.each(clients.map((client) => [client.name, client] as const))('%s', (_, client) => {
  it('names this site and the key, and leaves no gap', () => {
    const text = client.text(site);
    expect(text).toContain('https://gate.example');
    expect(text).toContain('sk-0123456789');
    expect(text).not.toContain('undefined');
    expect(text).not.toContain('//v1');
  });
});

it('tells programs of the OpenAI format /v1, those of the others the bare address', () => {
  const textOf = (id: string): string => clients.find((client) => client.id === id)?.text(site) ?? '';
  expect(textOf('codex')).toContain('base_url = "https://gate.example/v1"');
  expect(textOf('claude-code')).toContain('ANTHROPIC_BASE_URL="https://gate.example"\n');
  expect(textOf('gemini-cli')).toContain('GOOGLE_GEMINI_BASE_URL="https://gate.example"\n');
  expect(textOf('openai-python')).toContain('base_url="https://gate.example/v1"');
  expect(textOf('curl')).toContain('https://gate.example/v1/chat/completions');
});

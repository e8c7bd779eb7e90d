import { describe, expect, it } from 'vitest';
import { chatTemplate, fillChatLink, linkTemplate, sandboxOf } from './chat-link.ts';

const SITE = 'https://site.example';

describe('a chat link', () => {
  it('is filled in with the key and the escaped address of the site', () => {
    const template = 'https://chat.example/#/?settings={"key":"{key}","url":"{address}"}';
    expect(fillChatLink(template, 'sk-1', SITE)).toEqual({
      url: 'https://chat.example/#/?settings={"key":"sk-1","url":"https%3A%2F%2Fsite.example"}',
      kind: 'web',
      receiver: 'chat.example',
      hasKey: true,
    });
  });

  it('opens well-known programs, and says if it contains no key', () => {
    expect(fillChatLink('opencat://team/join?domain={address}', 'sk-1', SITE)).toMatchObject({
      kind: 'app',
      receiver: 'opencat',
      hasKey: false,
    });
  });

  it.each([
    'javascript:alert("{key}")',
    ' JavaScript:alert(1)',
    'data:text/html,{key}',
    'file:///etc/passwd',
    'vbscript:x',
    '//chat.example',
    '/relative',
    '',
  ])('is refused for the scheme of %s', (template) => {
    expect(fillChatLink(template, 'sk-1', SITE)).toBeUndefined();
  });

  it('is found by its index in the list', () => {
    const chats: Record<string, string>[] = [{ One: 'https://one.example' }, { Two: 'https://two.example' }];
    expect(chatTemplate(chats, 1)).toBe('https://two.example');
    expect(chatTemplate(chats, 2)).toBeUndefined();
  });
});

it('a chat address without placeholders gets key and address appended', () => {
  const filled = fillChatLink(linkTemplate('https://chat.example/'), 'sk-1', SITE);
  expect(decodeURIComponent(filled?.url ?? '')).toBe(
    `https://chat.example/#/?settings={"key":"sk-1","url":"${SITE}"}`,
  );
  expect(linkTemplate('https://c.example/?k={key}')).toBe('https://c.example/?k={key}');
});

it('a page of our own origin gets an opaque origin in its frame', () => {
  expect(sandboxOf('https://chat.example/x', SITE)).toContain('allow-same-origin');
  expect(sandboxOf(`${SITE}/x`, SITE)).not.toContain('allow-same-origin');
});

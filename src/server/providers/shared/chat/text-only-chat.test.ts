import { expect, test } from 'vitest';
import { asOneText, textOnlyChat } from './text-only-chat.ts';

const texts = (...all: readonly string[]) => all.map((text) => ({ type: 'text' as const, text }));

test('what a user says in several texts stays apart, and the texts of an answer follow each other', () => {
  const chat = textOnlyChat({
    model: 'm',
    stream: false,
    messages: [
      { role: 'system', content: texts('Be brief.', 'Be kind.') },
      { role: 'user', content: texts('What is it?', 'In French.') },
      { role: 'assistant', content: texts('Un ', 'chat.') },
      { role: 'user', content: texts('Why?') },
    ],
    extras: {},
  });
  expect(asOneText(chat)).toBe(
    'SYSTEM:\nBe brief.\nBe kind.\n\nUSER:\nWhat is it?\nIn French.\n\nASSISTANT:\nUn chat.\n\nUSER:\nWhy?',
  );
});

// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { readCodeBlock } from './render-block.ts';

// What renderBlock lets through is tested in a real browser (e2e/journeys/markdown.test.ts): happy-dom is not one to DOMPurify.
it('recognises a block that is one fenced piece of code, finished or not', () => {
  expect(readCodeBlock('```ts title="x"\nlet a;\n```')).toEqual({ code: 'let a;', language: 'ts' });
  expect(readCodeBlock('```\nlet a;')).toEqual({ code: 'let a;', language: '' });
  expect(readCodeBlock('text\n```\na\n```')).toBeUndefined();
});

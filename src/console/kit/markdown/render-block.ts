import DOMPurify from 'dompurify';
import { marked } from 'marked';

/** A block of markdown as sanitised HTML, without images and forms. */
export const renderBlock = (text: string): string => {
  const html = marked.parse(text, { async: false, gfm: true, breaks: true });
  return DOMPurify.sanitize(html, {
    FORBID_TAGS: [
      'style',
      'form',
      'input',
      'button',
      'textarea',
      'select',
      'img',
      'picture',
      'video',
      'audio',
      'iframe',
      'svg',
      'math',
    ],
    // Classes of the console could cover the page. A background is loaded like an image.
    FORBID_ATTR: ['style', 'id', 'name', 'class', 'background', 'tabindex', 'popover', 'autofocus'],
    ALLOW_DATA_ATTR: false,
  });
};

// Links from a model open elsewhere and send no referrer.
DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
});

export interface CodeBlock {
  readonly code: string;
  readonly language: string;
}

const MAY_BE_FENCE = /^\s*(```|~~~)/;

/** The code of a block that is one fenced piece, which has a component of its own; otherwise undefined. */
export const readCodeBlock = (text: string): CodeBlock | undefined => {
  if (!MAY_BE_FENCE.test(text)) return undefined;
  const tokens = marked.lexer(text).filter((token) => token.type !== 'space');
  const [token] = tokens;
  if (tokens.length !== 1 || token?.type !== 'code' || token['codeBlockStyle'] === 'indented')
    return undefined;
  return { code: String(token['text']), language: String(token['lang'] ?? '').split(/\s/)[0] ?? '' };
};

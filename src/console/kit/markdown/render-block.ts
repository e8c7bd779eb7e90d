import DOMPurify from 'dompurify';
import { Marked } from 'marked';

/** The elements that models write on purpose. Any other is shown as text: `List<String>`, "a `<script>` tag". */
const WRITTEN = new Set(
  [
    'a b br code del i ins kbd mark q s samp small span strong em sub sup u var',
    'blockquote dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre summary ul',
    'table tbody td tfoot th thead tr',
  ].flatMap((names) => names.split(' ')),
);

const TAG = /<(?:[!?]|\/?([a-z][\w.:-]*))/gi;

/** Instances of its own: the console's other texts keep their pictures, and their links open here. */
const purify = DOMPurify();
const markdown = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) =>
      text.replace(TAG, (tag, name: string | undefined) =>
        name !== undefined && WRITTEN.has(name) ? tag : tag.replace('<', '&lt;'),
      ),
    // No remote picture is loaded: it could carry away what was said. Its link says where it is.
    image({ href, title, text, raw }) {
      const label = text === '' ? href : text;
      const tokens = [{ type: 'text' as const, raw: label, text: label, escaped: false }];
      return this.link({ type: 'link', raw, href, title, text: label, tokens });
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

/** A block of markdown as sanitised HTML, without images and forms. */
export const renderBlock = (text: string): string =>
  purify.sanitize(markdown.parse(text, { async: false }), {
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

// Links from a model open elsewhere and send no referrer.
purify.addHook('afterSanitizeAttributes', (node) => {
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
  const tokens = markdown.lexer(text).filter((token) => token.type !== 'space');
  const [token] = tokens;
  if (tokens.length !== 1 || token?.type !== 'code' || token['codeBlockStyle'] === 'indented')
    return undefined;
  return { code: String(token['text']), language: String(token['lang'] ?? '').split(/\s/)[0] ?? '' };
};

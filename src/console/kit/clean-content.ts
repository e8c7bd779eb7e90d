import DOMPurify from 'dompurify';
import { marked } from 'marked';

/** What an operator's page may never have: scripts do not run anyway; these would cover, restyle or ask for passwords. */
const FORBIDDEN_TAGS = [
  'style',
  'form',
  'input',
  'button',
  'textarea',
  'select',
  'iframe',
  'frame',
  'object',
  'embed',
  'link',
  'meta',
  'base',
  'template',
  'svg',
  'math',
  'dialog',
];

/** A picture without a description is decoration: screen readers skip it instead of reading its address. */
const describePicture = (node: Element): void => {
  if (node.tagName === 'IMG' && !node.hasAttribute('alt')) node.setAttribute('alt', '');
};
DOMPurify.addHook('afterSanitizeAttributes', describePicture);

/** HTML an operator wrote, safe to show in our own page: sanitised, without ids that could be taken for ours. */
export const cleanHtml = (html: string): string =>
  DOMPurify.sanitize(html, {
    FORBID_TAGS: FORBIDDEN_TAGS,
    FORBID_ATTR: ['id', 'name', 'class', 'popover', 'autofocus', 'tabindex', 'contenteditable'],
    ALLOW_DATA_ATTR: false,
  });

/** The same for markdown, in which HTML may stand. */
export const cleanContent = (text: string): string =>
  cleanHtml(marked.parse(text, { async: false, gfm: true }));

/** The whole content is one address: it is shown embedded. */
export const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim());

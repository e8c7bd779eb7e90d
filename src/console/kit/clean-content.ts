import DOMPurify from 'dompurify';
import { marked } from 'marked';

/**
 * Forbidden in an operator's page, beside scripts, which never run: elements that could cover the console, restyle it,
 * or ask for passwords.
 */
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

/** Sanitises an operator's HTML for our own page, and removes ids that could clash with ours. */
export const cleanHtml = (html: string): string =>
  DOMPurify.sanitize(html, {
    FORBID_TAGS: FORBIDDEN_TAGS,
    FORBID_ATTR: ['id', 'name', 'class', 'popover', 'autofocus', 'tabindex', 'contenteditable'],
    ALLOW_DATA_ATTR: false,
  });

/** The same for markdown, which may contain HTML. */
export const cleanContent = (text: string): string =>
  cleanHtml(marked.parse(text, { async: false, gfm: true }));

/** Whether the content is a single address, which is shown embedded. */
export const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim());

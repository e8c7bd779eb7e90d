import type { Language } from '#contract/messages.ts';
import type { Mail } from './mail.ts';

/** The content of a mail; all texts are plain and escaped for HTML here. */
export interface MailContent {
  readonly subject: string;
  /** Paragraphs above the code or button. */
  readonly lines: readonly string[];
  /** Shown large, to be typed elsewhere. */
  readonly code?: string;
  /** An https or http address to open. */
  readonly button?: { readonly label: string; readonly url: string };
  /** Paragraphs below it, in small print. */
  readonly notes?: readonly string[];
}

interface MailFrame {
  readonly to: string;
  readonly siteName: string;
  readonly language: Language;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for an HTML element or attribute. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const FOOT = {
  en: 'Sent by {site} because of something that happened with your account or address. Nobody reads answers.',
  zh: '这封邮件由 {site} 因你的账户或邮箱的操作自动发出，请勿回复。',
} as const;

/**
 * Writes a mail in the site's layout, as HTML and as text. It is readable without pictures, scripts and style sheets.
 */
export const mailPage = ({ to, siteName, language }: MailFrame, content: MailContent): Mail => {
  const foot = FOOT[language].replace('{site}', () => siteName);
  const { lines, code, button, notes = [] } = content;
  return {
    to,
    subject: `${siteName} · ${content.subject}`,
    text: [
      content.subject,
      ...lines,
      ...(code === undefined ? [] : [code]),
      ...(button === undefined ? [] : [`${button.label}: ${button.url}`]),
      ...notes,
      `-- \n${foot}`,
    ].join('\n\n'),
    html: htmlOf(language, siteName, content, foot),
  };
};

const paragraph = (text: string, style: string): string =>
  `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`;

const CODE_STYLE =
  'font:600 28px/36px ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px;background:#f3f4f6;' +
  'border-radius:10px;padding:14px;text-align:center;color:#14161b';
const BUTTON_STYLE =
  'display:inline-block;background:#16181d;color:#ffffff;text-decoration:none;border-radius:8px;' +
  'padding:10px 18px;font-weight:500';

const htmlOf = (language: Language, siteName: string, content: MailContent, foot: string): string => {
  const { subject, lines, code, button, notes = [] } = content;
  const body = [
    paragraph(siteName, 'font-size:13px;color:#666d7a'),
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px">${escapeHtml(subject)}</h1>`,
    ...lines.map((line) => paragraph(line, '')),
    ...(code === undefined ? [] : [paragraph(code, CODE_STYLE)]),
    ...(button === undefined
      ? []
      : [
          `<p style="margin:0 0 16px"><a href="${escapeHtml(button.url)}" style="${BUTTON_STYLE}">` +
            `${escapeHtml(button.label)}</a></p>`,
          paragraph(button.url, 'font-size:12px;color:#666d7a;word-break:break-all'),
        ]),
    ...notes.map((note) => paragraph(note, 'font-size:13px;color:#666d7a')),
  ];
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
    '<body style="margin:0;background:#f3f4f6;padding:24px;font:14px/22px -apple-system,Segoe UI,sans-serif;' +
    'color:#14161b"><div style="max-width:480px;margin:0 auto;background:#ffffff;border:1px solid #e4e6eb;' +
    `border-radius:14px;padding:28px">${body.join('')}` +
    `<p style="margin:24px 0 0;border-top:1px solid #eff0f3;padding-top:16px;font-size:12px;color:#666d7a">` +
    `${escapeHtml(foot)}</p></div></body></html>`
  );
};

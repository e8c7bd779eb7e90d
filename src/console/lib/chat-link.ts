import { withoutEnd } from '#contract/without-end.ts';

/** Links to third-party chat programs, filled in with one of the user's tokens. */

/** Shown in a frame. */
const WEB_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:']);
/** Schemes of desktop programs. All other schemes, above all `javascript:`, are refused. */
const APP_SCHEMES: ReadonlySet<string> = new Set([
  'ama:',
  'opencat:',
  'cherrystudio:',
  'chatbox:',
  'deepchat:',
  'aionui:',
  'botgem:',
  'lobehub:',
]);

export interface ChatLink {
  readonly url: string;
  /** `web` goes into a frame, `app` is handed to a program on this computer. */
  readonly kind: 'web' | 'app';
  /** The receiver of the key: the host of a web page, or the scheme of a program. */
  readonly receiver: string;
  /** The link contains the key, so that page or program can use it. */
  readonly hasKey: boolean;
}

type Chats = readonly Readonly<Record<string, string>>[];

/** The template of one entry of the `Chats` option. */
export const chatTemplate = (chats: Chats, id: number): string | undefined =>
  Object.values(chats[id] ?? {})[0];

/** A template with `{key}` and `{address}` filled in; undefined if its scheme is not allowed. */
export const fillChatLink = (template: string, key: string, address: string): ChatLink | undefined => {
  const filled = template
    .trim()
    .replaceAll('{address}', encodeURIComponent(address))
    .replaceAll('{key}', key);
  const scheme = URL.canParse(filled) ? new URL(filled).protocol : '';
  const hasKey = template.includes('{key}');
  if (WEB_SCHEMES.has(scheme)) return { url: filled, kind: 'web', receiver: new URL(filled).host, hasKey };
  return APP_SCHEMES.has(scheme)
    ? { url: filled, kind: 'app', receiver: scheme.slice(0, -1), hasKey }
    : undefined;
};

const escaped = encodeURIComponent;

/** A chat address without placeholders gets key and address in the way of the first programs of this kind. */
export const linkTemplate = (chatLink: string): string => {
  if (/\{key\}|\{address\}/.test(chatLink)) return chatLink;
  const settings = `${escaped('{"key":"')}{key}${escaped('","url":"')}{address}${escaped('"}')}`;
  return `${withoutEnd(chatLink, '/')}/#/?settings=${settings}`;
};

/** The `sandbox` of a framed page. A page of our own origin gets an opaque origin: with ours it could act as the user. */
export const sandboxOf = (url: string, ownOrigin: string): string =>
  `allow-scripts allow-forms allow-popups allow-downloads allow-modals${
    new URL(url).origin === ownOrigin ? '' : ' allow-same-origin'
  }`;

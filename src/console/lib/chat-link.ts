/** Links to chat programs others made, filled in with a token of the user's. */

/** Shown in a frame. */
const WEB_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:']);
/** Programs that open such an address themselves. Everything else, `javascript:` first of all, is refused. */
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
  /** Who gets the key: the host of a web page, the scheme of a program. */
  readonly receiver: string;
  /** The key is in the link: whoever runs that page or program can use it. */
  readonly hasKey: boolean;
}

type Chats = readonly Readonly<Record<string, string>>[];

/** The template of one entry of the `Chats` option. */
export const chatTemplate = (chats: Chats, id: number): string | undefined =>
  Object.values(chats[id] ?? {})[0];

/** A template with `{key}` and `{address}` filled in; undefined where it leads nowhere we go. */
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

/** A chat address without placeholders takes key and address the way the first programs of this kind did. */
export const linkTemplate = (chatLink: string): string => {
  if (/\{key\}|\{address\}/.test(chatLink)) return chatLink;
  const settings = `${escaped('{"key":"')}{key}${escaped('","url":"')}{address}${escaped('"}')}`;
  return `${chatLink.replace(/\/+$/, '')}/#/?settings=${settings}`;
};

/**
 * What a framed page may do. A page of our own origin gets an origin of nobody: with ours it could act as the user.
 */
export const sandboxOf = (url: string, ownOrigin: string): string =>
  `allow-scripts allow-forms allow-popups allow-downloads allow-modals${
    new URL(url).origin === ownOrigin ? '' : ' allow-same-origin'
  }`;

import { useQuery } from '@tanstack/react-query';
import { listTokens } from '#contract/api/people/tokens.ts';
import { call } from '../../lib/server/api.ts';
import { chatTemplate, fillChatLink, linkTemplate, type ChatLink } from '../../lib/chat-link.ts';
import { useSession } from '../../lib/session/session.ts';
import { isUsable } from '../../shared/usable-token.ts';
import { useSiteStatus, type SiteStatus } from '../../lib/server/site-status.ts';

/** The state of the page. `problem` is a text key of this area. */
export type ChatState =
  | { readonly state: 'loading' }
  | { readonly state: 'problem'; readonly problem: 'wrongLink' | 'noLink' | 'noToken' }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly state: 'ready'; readonly link: ChatLink };

/** `id` selects one of the chat programs; undefined means the site's single chat address. */
const templateOf = (status: SiteStatus, id: number | undefined): string | undefined => {
  if (id !== undefined) return chatTemplate(status.chats, id);
  return status.chat_link === '' ? chatTemplate(status.chats, 0) : linkTemplate(status.chat_link);
};

/** The requested chat program, with the user's first enabled token in its address. */
export const useChatLink = (id: number | undefined): ChatState => {
  const status = useSiteStatus();
  const user = useSession();
  const query = useQuery({
    queryKey: ['chat-tokens'],
    queryFn: ({ signal }) => call(listTokens, { query: { p: 0, size: 100 } }, signal),
    enabled: user !== undefined,
    // The program is opened at once: not with a key of the last visit, which may have been deleted since.
    gcTime: 0,
  });
  if (status === undefined) return { state: 'loading' };
  const template = templateOf(status, id);
  if (template === undefined)
    return { state: 'problem', problem: status.chats.length === 0 ? 'noLink' : 'wrongLink' };
  if (user === undefined) return { state: 'problem', problem: 'noToken' };
  if (query.isError) return { state: 'failed', error: query.error, retry: () => void query.refetch() };
  if (query.data === undefined) return { state: 'loading' };
  const token = query.data.items.find(isUsable);
  if (token === undefined) return { state: 'problem', problem: 'noToken' };
  const link = fillChatLink(template, `sk-${token.key}`, status.server_address || location.origin);
  return link === undefined ? { state: 'problem', problem: 'wrongLink' } : { state: 'ready', link };
};

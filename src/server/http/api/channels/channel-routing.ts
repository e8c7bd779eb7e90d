import { NANO_PER_USD } from '#contract/limits.ts';
import type { z } from 'zod';
import type * as contract from '#contract/api/channels/channel-routing.ts';
import { say } from '#contract/messages.ts';
import type { Language } from '#contract/messages.ts';
import type { ExplainCall, ExplainedCall, ExplainedOffer } from '#core/channel/selection/explain-call.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { PreviewRequest } from '#core/channel/sample-call.ts';
import type { TokenStore } from '#core/token/token-store.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Channels } from '../../../control/channels/channels.ts';
import { refuse } from '../../../control/refuse.ts';
import type { Handlers } from '../../handler.ts';
import { channelWish } from './channel-wire.ts';
import { openedChannel } from './opened-channel.ts';

interface ChannelRoutingDeps {
  readonly channels: Channels;
  readonly routing: () => Routing;
  readonly users: Pick<UserStore, 'byId'>;
  readonly stores: { readonly tokens: Pick<TokenStore, 'byId'> };
  readonly relay: { readonly preview: PreviewRequest; readonly explain: ExplainCall };
}

/** The smallest valid request of each kind. */
const leastBody = (text: string) => ({
  messages: [{ role: 'user', content: text }],
  input: text,
  contents: [{ role: 'user', parts: [{ text }] }],
  prompt: text,
  query: text,
  documents: [text],
  voice: 'alloy',
});

/** Explains what would happen to a call, for admins. */
export const channelRoutingHandlers = ({
  channels,
  routing,
  users,
  stores,
  relay,
}: ChannelRoutingDeps): Handlers<typeof contract> => ({
  previewRequest: async ({ body }) => {
    const { id, channel: entered, request, group, model, ...sample } = body;
    const channel =
      entered === undefined
        ? await openedChannel(channels, routing(), id ?? 0)
        : await channels.draft(entered.id, channelWish(entered));
    const shown = relay.preview(channel, {
      ...sample,
      group: group || (channel.groups[0] ?? ''),
      model: model.trim() || channel.testModel || (channel.models[0] ?? ''),
      body: request,
    });
    const { upstreamModel, isSignedLater, headers, ...rest } = shown;
    return { ...rest, headers: { ...headers }, upstream_model: upstreamModel, signed_later: isSignedLater };
  },
  explainCall: async ({ body }, { actor, language }) => {
    const {
      user_id: userId,
      token_id: tokenId,
      prompt_tokens: prompt,
      output_tokens: output,
      session: sessionId,
      prompt_cache_key: cacheKey,
      ...sample
    } = body;
    const user = userId === undefined ? actor.user : await users.byId(userId);
    if (user === undefined || user.deletedAtMs !== null) throw refuse('user_is_gone');
    const token = tokenId === undefined ? undefined : await stores.tokens.byId(user.id, tokenId);
    if (tokenId !== undefined && token === undefined) throw refuse('token_missing');
    const explained = relay.explain({
      ...sample,
      model: sample.model.trim(),
      group: sample.group || user.group,
      body: { ...leastBody('hi'), ...(cacheKey !== '' && { prompt_cache_key: cacheKey }) },
      sessionId,
      user,
      token,
      inputTokens: prompt,
      outputTokens: output,
    });
    return explainedWire(explained, { user, language, routing: routing() });
  },
});

type Explained = z.infer<(typeof contract)['explainCall']['data']>;

const explainedWire = (
  { askedModel, groups, refusal, coolingTaken, quotaUnits, channels, session, ...rest }: ExplainedCall,
  {
    user: { username },
    language,
    routing,
  }: { readonly user: User; readonly language: Language; readonly routing: Routing },
): Explained => ({
  ...rest,
  username,
  asked_model: askedModel ?? '',
  groups: [...groups],
  refusal: refusal === undefined ? '' : refusalText(refusal, language),
  cooling_taken: coolingTaken,
  quota: quotaUnits ?? null,
  session: session === undefined ? null : sessionWire(session, routing),
  channels: channels.map(offerWire),
});

const refusalText = (
  { phrase, message }: NonNullable<ExplainedCall['refusal']>,
  language: Language,
): string => (phrase === undefined ? message : say(phrase.key, language, phrase.values));

const sessionWire = (
  { from, wish }: NonNullable<ExplainedCall['session']>,
  { channels }: Routing,
): NonNullable<Explained['session']> => ({
  from,
  channel_id: wish?.channelId ?? 0,
  channel: wish === undefined ? '' : (channels.get(wish.channelId)?.name ?? ''),
  passed_over: wish?.passedOver ?? '',
});

const offerWire = ({
  upstreamModel,
  reason,
  costNano,
  keys,
  keyCount,
  ...offer
}: ExplainedOffer): Explained['channels'][number] => ({
  ...offer,
  upstream_model: upstreamModel,
  reason: reason ?? '',
  cost_usd: costNano === undefined ? null : costNano / NANO_PER_USD,
  keys: keys.map(({ isOpen, ...key }) => ({ ...key, open: isOpen })),
  key_count: keyCount,
});

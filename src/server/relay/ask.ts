import { aliasedModel } from '#core/channel/aliased-model.ts';
import { isForm } from '../dialects/form/form.ts';
import { momentFor } from './bill/price/prices-of-now.ts';
import { callerOf } from './caller/authenticate.ts';
import { knowsGroups } from './caller/known-groups.ts';
import { readAnywhere } from './far/far-request.ts';
import { restarting } from './live-calls.ts';
import type { Parts } from './parts.ts';
import { readFormRequest } from './request/read-request.ts';
import type { Asked, Begun } from './stages.ts';
import { Translations } from './request/translations.ts';

type AskDeps = Pick<
  Parts,
  | 'authenticate'
  | 'playgroundUser'
  | 'groupsReady'
  | 'live'
  | 'farThreads'
  | 'metrics'
  | 'clock'
  | 'routing'
  | 'pricesDue'
>;

/** Authenticates the caller, then reads the request. Throws what is wrong with either. */
export const ask = async (deps: AskDeps, begun: Begun): Promise<Asked> => {
  const { call, wire, live } = begun;
  if (deps.live.isStopping) throw restarting();
  const found = callerOf(deps, call);
  const caller = found instanceof Promise ? await found : found;
  const isKnown = knowsGroups(begun.routing, caller.user, caller.token);
  const { routing, atMs: createdAtMs } = isKnown
    ? { routing: begun.routing, atMs: begun.createdAtMs }
    : await momentFor(deps, begun, caller);
  const userId = caller.user.id;
  const rename = (model: string): string => aliasedModel(routing, model);
  const read = isForm(call.headers['content-type'])
    ? {
        request: readFormRequest(call, wire, await call.readForm(userId, wire.goesOutEarly === true), rename),
        release: undefined,
      }
    : readAnywhere(
        deps.farThreads,
        { call, wire, userId, words: routing.options, rename },
        await call.readBody(userId),
      );
  const { request, release } = read instanceof Promise ? await read : read;
  live.release = release;
  // Reading a body may take long, so a session may have ended meanwhile. A key is checked again when the quota is
  // held.
  if (call.playground) await callerOf(deps, call);
  live.isCountedAsStream = request.facts.stream;
  deps.metrics.opened(request.facts.stream);
  return { ...begun, routing, createdAtMs, caller, request, translations: new Translations(wire, request) };
};

import type { DialectName } from '#core/chat/request.ts';
import { aliasedModel } from '#core/channel/aliased-model.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { SampleCall } from '#core/channel/sample-call.ts';
import type { Fields } from '#core/json/fields.ts';
import { mustStripTerms } from '../caller/service-terms-of.ts';
import type { RelayDeps } from '../ports.ts';
import type { Source } from '../request/choose-format.ts';
import { readRequest } from '../request/read-request.ts';
import { Translations } from '../request/translations.ts';

export type SampleDeps = Pick<RelayDeps, 'routing' | 'dialects' | 'wires' | 'clock'>;

/** A hypothetical call, with what its request is written from. */
export interface SampleSource extends Omit<Source, 'routing'> {
  readonly routing: Routing;
  readonly startedMs: number;
  readonly lateForm: undefined;
}

/** Whether the format has the model and the streaming mode in the path. */
const isInPath = (dialect: DialectName, operation: SampleCall['operation']): boolean =>
  dialect === 'gemini' && operation === 'chat';

/** Adds missing fields before the others, because a request is sent in the order of its fields. */
const withMissing = (body: Fields, missing: Fields): Fields => ({
  ...Object.fromEntries(Object.entries(missing).filter(([name]) => !Object.hasOwn(body, name))),
  ...body,
});

/** Reads a request as if a caller had sent it. Throws what a caller would be told. */
export const sampleSource = (
  { routing: now, dialects, wires, clock }: SampleDeps,
  sample: SampleCall,
): SampleSource => {
  const { operation, dialect, model, stream, headers, body, group } = sample;
  const routing = now();
  const wire = operation === 'chat' ? dialects[dialect] : wires[operation];
  const isByPath = isInPath(dialect, operation);
  const asked = isByPath ? body : withMissing(body, { model, ...(stream && { stream: true }) });
  const call = {
    operation,
    dialect,
    headers,
    playground: false,
    pathModel: isByPath ? model : undefined,
    pathStream: isByPath ? stream : undefined,
  };
  const rename = (name: string): string => aliasedModel(routing, name);
  const request = readRequest(call, wire, Buffer.from(JSON.stringify(asked)), undefined, rename);
  return {
    call,
    wire,
    routing,
    request,
    translations: new Translations(wire, request),
    omitsTools: false,
    stripsTerms: mustStripTerms(routing.options, group, request.facts.terms),
    live: { isUnsigned: false },
    startedMs: clock.monotonic(),
    lateForm: undefined,
  };
};

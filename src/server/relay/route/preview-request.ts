import { secretsOf } from '#core/channel/channel-secrets.ts';
import { activeOverrides } from '#core/channel/overrides/override.ts';
import { limitsOfModel, patienceFor } from '#core/channel/health/patience.ts';
import type { PreviewRequest } from '#core/channel/sample-call.ts';
import { seatById } from '#core/channel/seats/seat.ts';
import { AppError } from '#core/error.ts';
import type { RelayDeps } from '../ports.ts';
import { formatFor, refusalOf, upstreamModel } from '../request/choose-format.ts';
import { FormatGaps } from '../request/format-gaps.ts';
import { outgoing } from '../request/outgoing.ts';
import { type SampleDeps, sampleSource } from './sample-source.ts';
import { shownHeaders, shownText, shownUrl } from './watched-exchanges.ts';

/** Shows the request that would be sent, using the steps that write real requests. Sends and changes nothing. */
export const createPreview =
  (deps: SampleDeps & Pick<RelayDeps, 'upstreamOf'>): PreviewRequest =>
  (saved, sample) => {
    const channel = seatById(saved, 0);
    const source = sampleSource(deps, sample);
    const upstream = deps.upstreamOf(channel.type);
    if (upstream?.offers[sample.operation] === undefined)
      throw new AppError('invalid_request', 'this channel does not offer this call');
    const gaps = { gaps: new FormatGaps() };
    const refusal = refusalOf(gaps, source, upstream, channel);
    if (refusal !== undefined) throw refusal;
    const { model, stream } = source.request.facts;
    const format = formatFor(gaps, source, upstream, channel);
    const overrides = activeOverrides(channel.setting.overrides, {
      model,
      group: sample.group,
      headers: sample.headers,
    });
    const ofModel = limitsOfModel(source.routing.options['upstream_setting.model_timeouts'], model);
    const target = {
      channel,
      upstream,
      format,
      upstreamModel: upstreamModel(channel, model),
      patience: patienceFor(channel.setting.limits, ofModel, { stream, canRepeat: true }),
      overrides,
    };
    const { request } = outgoing(source, target);
    const secrets = secretsOf(channel);
    return {
      method: request.method,
      url: shownUrl(request.url, secrets),
      headers: shownHeaders(request.headers, secrets),
      body: shownText(request.body, secrets),
      format: format.name,
      model,
      upstreamModel: target.upstreamModel,
      rules: overrides.length,
      isSignedLater: upstream.authorize !== undefined,
    };
  };

import type { OptionValues } from '#contract/options.ts';
import type { OpenProxyPassword } from '../outbound/outbound-proxy.ts';
import type { PriceCatalogue } from '../quota/catalogue.ts';
import type { Secret } from '../secrets/secret.ts';
import type { Channel, ChannelRow } from './channel.ts';

/** Channels of one priority that serve one model in one group. */
export interface Tier {
  readonly priority: number;
  readonly channels: readonly Channel[];
}

/** A channel left out of routing, and why. */
export interface BadChannel {
  readonly id: number;
  readonly name: string;
  readonly reason: string;
  /** The models and groups it would serve. */
  readonly models: readonly string[];
  readonly groups: readonly string[];
}

/**
 * Everything needed to admit, price and route calls at one moment. Immutable: a change creates a new one, and a call
 * keeps the one it began with.
 */
export interface Routing {
  /** Increases with every rebuild. */
  readonly version: number;
  readonly priceVersion: number;
  /** Calls that begin at this time or later are priced by a newer routing; missing if no price change is scheduled. */
  readonly pricesUntilMs?: number | undefined;
  readonly options: OptionValues;
  readonly catalogue: PriceCatalogue;
  /** Enabled and disabled channels by id; those that did not parse are in `bad`. */
  readonly channels: ReadonlyMap<number, Channel>;
  readonly bad: readonly BadChannel[];
  /** Group → model → tiers of enabled channels, highest priority first. */
  readonly tiers: ReadonlyMap<string, ReadonlyMap<string, readonly Tier[]>>;
  /** Model → the ids of all channels that list it, enabled or not, in any group. */
  readonly byModel: ReadonlyMap<string, readonly number[]>;
}

/** A channel as it was read, or why it was not. */
export type ReadChannel = Channel | BadChannel;

/** The input for building a routing. */
export interface RoutingInput {
  readonly version: number;
  readonly priceVersion: number;
  readonly pricesUntilMs?: number | undefined;
  readonly options: OptionValues;
  readonly catalogue: PriceCatalogue;
  /** All channels, by id. */
  readonly read: readonly ReadChannel[];
}

/** Opens what is encrypted in a row; if that fails, the channel is left out with the reason. */
export interface ChannelOpeners {
  readonly openKey: (row: ChannelRow) => Secret;
  /** Decrypts the password of a channel's proxy, if it has one. */
  readonly openProxyPassword: OpenProxyPassword;
}

/**
 * How long choosing a channel takes with many channels of many keys, in microseconds: `node bench/choices.ts`. Measures only
 * the choice that calls make, with health and key states as in a relay.
 */
import { parseArgs } from 'node:util';
import { buildRouting } from '../src/server/core/channel/testing/build-routing.ts';
import type { KeyState } from '../src/server/core/channel/keys/pool.ts';
import type { Routing } from '../src/server/core/channel/routing.ts';
import { selectChannel } from '../src/server/core/channel/selection/select.ts';
import { channelRowOf, poolKeyOf } from '../src/server/core/channel/testing/channel.ts';
import { ask, routingOf } from '../src/server/core/channel/testing/selecting.ts';
import { AppError } from '../src/server/core/error.ts';
import { Secret } from '../src/server/core/secrets/secret.ts';
import { ChannelHealth } from '../src/server/relay/route/health/channel-health.ts';
import { KeyUses } from '../src/server/relay/route/key-uses.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, choices: { type: 'string', default: '20000' } },
});

const MODEL = 'm';
const LONG_MS = 86_400_000;
/** A call a millisecond. */
const CALL_MS = 1;
const NO_LIMITS = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };
const open: KeyState = { status: 'enabled', reason: '', untilMs: 0, rounds: 0 };
const waiting: KeyState = { status: 'spent', reason: '', untilMs: LONG_MS, rounds: 1 };
const limited = new AppError('upstream_failed', 'x', { upstream: { status: 429, message: 'x' } });

const siteOf = (channels: number, keys: number, state: KeyState = open): Routing => {
  const rows = Array.from({ length: channels }, (_, at) => channelRowOf(at + 1, { weight: 10 }));
  const poolOf = (channelId: number) =>
    Array.from({ length: keys }, (_, at) =>
      poolKeyOf(channelId * 10_000 + at, { channelId, state, limits: NO_LIMITS }),
    );
  const { version, priceVersion, options, catalogue } = routingOf();
  return buildRouting({
    version,
    priceVersion,
    options,
    catalogue,
    rows,
    ...(keys > 1 && { pools: new Map(rows.map(({ id }) => [id, poolOf(id)])) }),
    openKey: () => new Secret('k'),
  });
};

/** The state that a relay keeps of its channels, with a simulated clock. */
const relay = () => {
  const clock = { ms: 1000, now: () => clock.ms, monotonic: () => clock.ms };
  const health = new ChannelHealth(clock.monotonic);
  const uses = new KeyUses(clock, () => Promise.resolve(false));
  let dice = 0.1;
  const choose = (routing: Routing) => {
    dice = (dice + 0.618_033_988_75) % 1;
    const nowMs = clock.ms;
    const keys = uses.of({});
    return selectChannel(
      routing,
      ask({
        dice,
        model: MODEL,
        isCooling: (channelId, keyId) => health.isCooling(channelId, keyId, MODEL, nowMs),
        areCooling: (channelId, of) =>
          health.resting.areCooling({ channelId, keys: of, model: MODEL, nowMs }),
        awakeAmong: (channels) =>
          health.resting.awakeAmong({ channels, model: MODEL, nowMs, areAsleep: keys.areAsleep }),
        keys,
      }),
    );
  };
  return { clock, health, uses, choose };
};
type Relay = ReturnType<typeof relay>;

/** Every key was refused a moment ago, except those of some channels. */
const refuseAll = ({ health, clock }: Relay, routing: Routing, but = 0): void => {
  for (const { id, pool } of [...routing.channels.values()].slice(but))
    for (const key of pool)
      health.failed({ id, keyId: key.id }, MODEL, {
        error: limited,
        startedMs: clock.ms - 1,
        nowMs: clock.ms,
      });
};

interface Scene {
  readonly name: string;
  readonly routing: Routing;
  readonly prepare?: (known: Relay, routing: Routing) => void;
  /** The outcome of each call. */
  readonly after?: (known: Relay, seat: { readonly id: number; readonly keyId: number }) => void;
}

const succeeds: Scene['after'] = ({ health, uses, clock }, seat) => {
  health.chosen(seat, MODEL, clock.ms);
  uses.used(seat);
  health.succeeded(seat, MODEL, clock.ms);
};
const isRefused: Scene['after'] = ({ health, uses, clock }, seat) => {
  health.chosen(seat, MODEL, clock.ms);
  uses.used(seat);
  health.failed(seat, MODEL, { error: limited, startedMs: clock.ms, nowMs: clock.ms });
};

const scenes: readonly Scene[] = [
  { name: 'one channel of one key', routing: siteOf(1, 1), after: succeeds },
  { name: '3 channels of one key', routing: siteOf(3, 1), after: succeeds },
  { name: '3 channels of 10 keys', routing: siteOf(3, 10), after: succeeds },
  { name: '500 channels of 100 keys', routing: siteOf(500, 100), after: succeeds },
  { name: '500 × 100 keys that all wait', routing: siteOf(500, 100, waiting) },
  { name: '190 × 100 keys over their rate', routing: siteOf(190, 100), prepare: refuseAll },
  {
    name: '190 × 100 keys over their rate, each call refused again',
    routing: siteOf(190, 100),
    prepare: refuseAll,
    after: isRefused,
  },
  {
    name: '190 × 100 keys over their rate but for one channel',
    routing: siteOf(190, 100),
    prepare: (known, routing) => refuseAll(known, routing, 1),
    after: succeeds,
  },
  {
    name: '190 × 100 keys, each call refused until all cool, and again',
    routing: siteOf(190, 100),
    after: isRefused,
  },
];

/** The mean and the longest time of a choice; the outcome of the call is not timed. */
const measured = ({ routing, prepare, after }: Scene, choices: number) => {
  const known = relay();
  prepare?.(known, routing);
  let totalMs = 0;
  let longestMs = 0;
  for (let at = 0; at < choices; at += 1) {
    // Within the time that a refused key rests.
    known.clock.ms += prepare === undefined ? CALL_MS : CALL_MS / 10;
    const beganMs = performance.now();
    const { channel } = known.choose(routing);
    const tookMs = performance.now() - beganMs;
    totalMs += tookMs;
    longestMs = Math.max(longestMs, tookMs);
    if (channel !== undefined) after?.(known, channel);
  }
  return { meanUs: (totalMs * 1000) / choices, longestUs: longestMs * 1000 };
};

const median = (figures: readonly number[]): number =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0;

console.log('| choices among | mean, µs | longest, µs |\n| --- | ---: | ---: |');
for (const scene of scenes) {
  const rounds = Array.from({ length: Number(values.rounds) }, () => measured(scene, Number(values.choices)));
  const mean = median(rounds.slice(1).map(({ meanUs }) => meanUs));
  const longest = median(rounds.slice(1).map(({ longestUs }) => longestUs));
  console.log(`| ${scene.name} | ${mean.toFixed(2)} | ${longest.toFixed(0)} |`);
}

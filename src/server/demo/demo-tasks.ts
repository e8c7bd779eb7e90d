import { logType } from '#contract/codes.ts';
import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import type { Sighting, SightingStore } from '#core/channel/health/sighting.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { Clock, Random } from '#core/clock.ts';
import { type NewTask, taskHoldId, type TaskStatus, type TaskStore } from '#core/task/task.ts';
import { taskLog } from '#core/task/task-log.ts';
import type { User } from '#core/user/user.ts';
import type { Happening } from './demo-story.ts';
import { HOUR_MS, MINUTE_MS } from '#core/time/spans.ts';

export interface DemoTaskDeps {
  readonly tasks: TaskStore;
  readonly sightings: SightingStore;
  readonly ledger: Pick<Ledger, 'hold' | 'settle' | 'void'>;
  readonly clock: Clock;
  readonly random: Random;
}

interface Wished {
  readonly platform: 'mj' | 'suno';
  readonly action: string;
  readonly model: string;
  readonly prompt: string;
  readonly status: TaskStatus;
  readonly agoMs: number;
  readonly tookMs: number;
  readonly units: number;
}

const DRAWING_UNITS = 50_000;
const LYRICS_UNITS = 5000;
/** The messages of failed tasks. */
const GAVE_UP_MS = 300_000;

const drawing = (
  action: string,
  prompt: string,
  hoursAgo: number,
  tookMs: number,
  status: TaskStatus = 'SUCCESS',
): Wished => ({
  platform: 'mj',
  action,
  model: `mj_${action.toLowerCase()}`,
  prompt,
  status,
  agoMs: hoursAgo * HOUR_MS,
  tookMs,
  units: action === 'UPSCALE' || action === 'DESCRIBE' ? DRAWING_UNITS / 2 : DRAWING_UNITS,
});

const music = (action: string, prompt: string, agoMs: number, status: TaskStatus = 'SUCCESS'): Wished => ({
  platform: 'suno',
  action,
  model: `suno_${action.toLowerCase()}`,
  prompt,
  status,
  agoMs,
  tookMs: status === 'FAILURE' ? GAVE_UP_MS : 95_000,
  units: action === 'LYRICS' ? LYRICS_UNITS : DRAWING_UNITS,
});

const wished: readonly Wished[] = [
  drawing('IMAGINE', 'a lighthouse above a quiet sea, early morning, watercolour', 0.4, 42_000),
  drawing('UPSCALE', 'a lighthouse above a quiet sea, early morning, watercolour', 0.3, 9000),
  drawing('IMAGINE', 'terraced rice fields after rain, wide angle', 5, 58_000),
  drawing('VARIATION', 'terraced rice fields after rain, wide angle', 4.8, 47_000),
  drawing('IMAGINE', 'a paper crane on a wooden table, macro', 26, 83_000),
  drawing('BLEND', '', 30, 51_000),
  drawing('DESCRIBE', '', 49, 12_000),
  drawing('IMAGINE', 'night train crossing a viaduct, long exposure', 75, GAVE_UP_MS, 'FAILURE'),
  drawing('REROLL', 'a red fox in the snow', 98, 39_000),
  drawing('IMAGINE', 'a red fox in the snow', 99, 44_000),
  drawing('PAN', 'an old harbour, etching', 150, 37_000),
  drawing('ZOOM', 'an old harbour, etching', 151, 40_000),
  music('MUSIC', 'a slow waltz for a rainy evening', 8 * MINUTE_MS),
  music('LYRICS', 'a song about a lighthouse keeper', 11 * MINUTE_MS),
  music('MUSIC', 'bright guitar, summer road', 14 * MINUTE_MS, 'FAILURE'),
  music('MUSIC', 'calm piano for reading', 3 * 24 * HOUR_MS),
];

interface Maker {
  readonly owner: User;
  readonly tokenId: number;
  readonly tokenName: string;
}

interface Channels {
  readonly drawing: number;
  readonly music: number;
}

/** Drawings and music of the last week, each held, then charged or given back, like a real task. */
export const seedTasks = (
  deps: DemoTaskDeps,
  maker: Maker,
  channels: Channels,
  upstreamUrl: string,
): Happening[] =>
  wished.map((wish) => ({
    agoMs: wish.agoMs,
    happen: () => make(deps, taskOf(deps, wish, maker, channels, upstreamUrl), wish),
  }));

const make = async (deps: DemoTaskDeps, task: NewTask, { units, status }: Wished): Promise<void> => {
  await deps.tasks.create(task);
  const id = taskHoldId(task.publicId);
  const doneMs = task.finishedAtMs;
  const { userId, tokenId, createdAtMs: nowMs } = task;
  await deps.ledger.hold({ id, userId, tokenId, quotaUnits: units, nowMs, expiresAtMs: doneMs + HOUR_MS });
  if (status === 'FAILURE') {
    const content = task.failReason;
    const log = taskLog(task, { type: logType.error, nowMs: doneMs, content, quotaUnits: 0 });
    await deps.ledger.void(id, doneMs, log);
  } else {
    const content = `${task.action}, ${task.model}`;
    const log = taskLog(task, { type: logType.consume, nowMs: doneMs, content, quotaUnits: units });
    await deps.ledger.settle({ id, quotaUnits: units, nowMs: doneMs, log, writeLog: true });
  }
};

const taskOf = (
  { clock, random }: DemoTaskDeps,
  wish: Wished,
  maker: Maker,
  channels: Channels,
  upstreamUrl: string,
): NewTask => {
  const atMs = clock.now();
  const publicId = random.alphanumeric(24);
  const isGood = wish.status === 'SUCCESS';
  const drawn = wish.platform === 'mj' && isGood && wish.action !== 'DESCRIBE';
  return {
    platform: wish.platform,
    publicId,
    upstreamId: `demo-${publicId.slice(0, 8)}`,
    userId: maker.owner.id,
    username: maker.owner.username,
    tokenId: maker.tokenId,
    tokenName: maker.tokenName,
    channelId: wish.platform === 'mj' ? channels.drawing : channels.music,
    keyId: 0,
    group: maker.owner.group,
    model: wish.model,
    action: wish.action,
    code: 1,
    status: wish.status,
    progress: '100%',
    prompt: wish.prompt,
    promptEn: wish.prompt === '' ? '' : `${wish.prompt} --v 6.1`,
    description: '',
    state: '',
    createdAtMs: atMs,
    submittedAtMs: atMs,
    startedAtMs: atMs + 2000,
    finishedAtMs: atMs + wish.tookMs,
    imageUrl: drawn ? `${upstreamUrl}/pictures/${publicId}.png` : '',
    failReason: isGood ? '' : 'the upstream gave up after five minutes',
    quotaUnits: isGood ? wish.units : 0,
    notifyHook: '',
    reachedAt: '',
    buttons: '',
    properties: '',
    data: '',
    pricing: JSON.stringify({
      model_price: wish.units / QUOTA_PER_UNIT,
      group_ratio: 1,
      user_group_ratio: -1,
      price_steps: [
        {
          bucket: 'call',
          count: 1,
          factors: { perCall: `${wish.units / QUOTA_PER_UNIT}`, quotaPerUnit: `${QUOTA_PER_UNIT}` },
          unitsEach: `${wish.units}`,
          units: `${wish.units}`,
        },
      ],
      price_sum: `${wish.units}`,
      price_units: wish.units,
    }),
  };
};

/** The callers seen at each channel in the last week. */
export const seedSightings = (
  { sightings, clock }: Pick<DemoTaskDeps, 'sightings' | 'clock'>,
  channelId: number,
): Promise<void> => {
  const nowMs = clock.now();
  const seen = (group: string, clientType: string, count: number, daysAgo: number): Sighting => ({
    channelId,
    group,
    clientType,
    count,
    firstSeenMs: nowMs - daysAgo * 24 * HOUR_MS,
    lastSeenMs: nowMs - Math.round((daysAgo * HOUR_MS) / 3),
  });
  return sightings.add([
    seen('default', 'Claude Code', 412, 6),
    seen('default', 'OpenAI SDK for Python', 268, 7),
    seen('default', 'Cherry Studio', 95, 4),
    seen('default', 'curl', 7, 1),
    seen('vip', 'Codex', 131, 3),
    seen('vip', 'browser', 22, 2),
  ]);
};

import type { Charging } from './answer/repeat.ts';
import { type Attempted, noteHouseCost, type PaidDestination } from './bill/cost/cost-of-call.ts';
import type { Meter } from './bill/meter.ts';
import { checkpointPictures } from './bill/tool-pictures.ts';
import { textDigest } from './request/text-digest.ts';
import { openSeatRoom } from '#core/channel/seats/seat-room.ts';
import { createReplyCheck, type ReplyCheck } from '#core/words/check-reply.ts';
import { type News, silentNews } from '#core/news.ts';
import { createWordCheck, type WordCheck } from '#core/words/check-words.ts';
import { AnswerRoom } from './answer/answer-room.ts';
import { type Authenticate, createAuthenticate } from './caller/authenticate.ts';
import { ChannelHealth } from './route/health/channel-health.ts';
import { KeyUses } from './route/key-uses.ts';
import { SessionAffinity } from './route/session-affinity.ts';
import { FormatGaps } from './request/format-gaps.ts';
import { BackgroundResponses } from './kept/background-responses.ts';
import { KeptResponses } from './kept/kept-responses.ts';
import { ChannelPace } from '#core/channel/health/channel-pace.ts';
import { FirstTokenTimes } from '#core/channel/health/first-token-times.ts';
import { ShareWindow, ShareWindows } from '#core/channel/health/share-window.ts';
import { LivePulses } from './route/live-pulses.ts';
import { LiveCalls } from './live-calls.ts';
import type { RelayDeps } from './ports.ts';
import { AvailabilityBook } from './bill/evidence/availability-book.ts';
import { EvidenceBook } from './bill/evidence/evidence-book.ts';
import { MoneyQueue } from './bill/hold/money-queue.ts';
import { RefusalLog } from './bill/refusal-log.ts';
import { SeatRooms } from './route/seat-rooms.ts';
import type { TokenCache } from './caller/token-cache.ts';

/** What the steps of a call share: the ports, and what the relay keeps between calls. */
export type Parts = Omit<RelayDeps, 'evidence' | 'availability'> & {
  readonly authenticate: Authenticate;
  readonly health: ChannelHealth;
  readonly news: News;
  readonly keyUses: KeyUses;
  readonly rooms: SeatRooms;
  /** How fast channels answered lately, and how many calls run there. */
  readonly pace: ChannelPace;
  /** Times to the first token, by model, for deadlines that are derived from them. */
  readonly firstTokens: FirstTokenTimes;
  /** The share of calls that had two attempts at once. */
  readonly hedges: ShareWindow;
  /** The share of calls that were retried, by group and model. */
  readonly retries: ShareWindows;
  /** What channels are doing right now. */
  readonly pulses: LivePulses;
  readonly affinity: SessionAffinity;
  readonly live: LiveCalls;
  /** Called between the chunks of a stream: saves the cost so far, and records the owner of containers. */
  readonly checkpoint: Charging['checkpoint'];
  readonly checkWords: WordCheck;
  readonly openReplyCheck: ReplyCheck;
  readonly gaps: FormatGaps;
  readonly kept: KeptResponses;
  readonly background: BackgroundResponses;
  readonly refusals: RefusalLog;
  readonly answers: AnswerRoom;
  readonly money: MoneyQueue;
  readonly evidence: EvidenceBook;
  readonly availability: AvailabilityBook;
  /** Adds the usage of an attempt whose answer nobody gets to the operator's costs. Returns at once. */
  readonly noteUnpaid: (attempted: Attempted, destination: PaidDestination, meter: Meter) => void;
};

/** The parts that drawing and music tasks use too, and the pages about channels read. */
export type SharedPart =
  | 'authenticate'
  | 'availability'
  | 'health'
  | 'keyUses'
  | 'pulses'
  | 'retries'
  | 'rooms';

/** This many retries are allowed in each window of time, however few calls there are. */
const LEAST_RETRIES = 20;
const LEAST_HEDGES = 2;

/** Creates the parts. They start empty: state that must survive a restart is behind the ports. */
export const createParts = (relay: RelayDeps, tokens: TokenCache): Parts => {
  const deps = { ...relay, answers: relay.answers ?? new AnswerRoom(), news: relay.news ?? silentNews };
  const live = new LiveCalls(deps);
  const kept = new KeptResponses(deps.keptResponses, deps.log);
  return {
    ...deps,
    authenticate: createAuthenticate(deps, tokens),
    health: new ChannelHealth(() => deps.clock.monotonic(), deps.news),
    keyUses: new KeyUses(deps.clock, deps.channels.takeKeyTrial),
    rooms: new SeatRooms(deps.seatRoom ?? openSeatRoom, deps.clock, deps.routing, deps.news),
    pace: new ChannelPace(),
    firstTokens: new FirstTokenTimes(),
    hedges: new ShareWindow(LEAST_HEDGES),
    retries: new ShareWindows(LEAST_RETRIES),
    pulses: new LivePulses(),
    affinity: new SessionAffinity(deps),
    live,
    checkpoint: (held, nowMs) => {
      kept.noteContainers(held);
      live.checkpoint(held, nowMs);
      if (held.pictures !== undefined) checkpointPictures(deps, held);
    },
    checkWords: createWordCheck(textDigest),
    openReplyCheck: createReplyCheck(),
    gaps: new FormatGaps(),
    kept,
    background: new BackgroundResponses(deps),
    refusals: new RefusalLog(deps),
    money: new MoneyQueue(deps.clock),
    evidence: new EvidenceBook(deps.evidence, deps.log),
    availability: new AvailabilityBook(deps.availability, deps.log),
    noteUnpaid: (attempted, destination, meter) => noteHouseCost(deps, attempted, destination, meter),
  };
};

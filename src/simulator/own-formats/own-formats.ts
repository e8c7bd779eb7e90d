import type { Call } from '../wire.ts';
import { answerConverse } from './converse.ts';
import { answerGoogleToken } from './google-token.ts';
import { makePrediction, showPrediction, streamPrediction } from './predictions.ts';
import { answerBaidu, answerBaiduToken, answerCoze, answerDify, answerLibrary } from './talkers.ts';
import { answerCohere, answerTencent } from './tool-callers.ts';

type Answer = (call: Call, raw: string) => void;

const POSTED: readonly (readonly [RegExp, Answer])[] = [
  [/^\/v2\/chat$/, answerCohere],
  [/^\/$/, answerTencent],
  [/^\/oauth\/2\.0\/token$/, answerBaiduToken],
  [/^\/google\/token$/, answerGoogleToken],
  [/^\/rpc\/2\.0\/ai_custom\/v1\/wenxinworkshop\/chat\/[\w-]+$/, answerBaidu],
  [/^\/model\/[^/]+\/converse(?:-stream)?$/, answerConverse],
  [/^\/v1\/chat-messages$/, answerDify],
  [/^\/v3\/chat$/, answerCoze],
  [/^\/v1\/(?:models\/[\w-]+\/[\w.-]+\/)?predictions$/, makePrediction],
  [/^\/api\/library\/ask$/, answerLibrary],
];

const FETCHED: readonly (readonly [RegExp, Answer])[] = [
  [/^\/v1\/predictions\/[\w-]+$/, showPrediction],
  [/^\/v1\/streams\/[\w-]+$/, streamPrediction],
];

/** Who answers at a path where a provider has a format of its own; undefined for any other. */
export const ownFormatAt = (method: string | undefined, path: string): Answer | undefined =>
  (method === 'POST' ? POSTED : FETCHED).find(([shape]) => shape.test(path))?.[1];

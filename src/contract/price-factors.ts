/** What unit prices are multiplied from. */
export const factorNames = [
  'modelRatio',
  'completionRatio',
  'cacheRatio',
  /** What cached sound costs beyond that. */
  'audioCacheSurcharge',
  'imageCacheSurcharge',
  'createCacheRatio',
  'oneHour',
  'imageRatio',
  'audioRatio',
  'audioCompletionRatio',
  'imageCompletionRatio',
  /** 1: sound or drawn pictures cost as text only because nobody has said what they cost. */
  'asText',
  /** US dollars for one call. */
  'perCall',
  /** US dollars for a thousand calls of a tool. */
  'perThousandCalls',
  'quotaPerThousandth',
  'quotaPerUnit',
  /** How many pictures one call is paid for, or how much dearer they are. */
  'times',
  /** Of a price per second, and what the resolution multiplies it by. */
  'seconds',
  'resolution',
  'groupRatio',
  /** In place of the group's: the special ratio of the user's group. */
  'userGroupRatio',
  /** Of a long prompt. */
  'contextStep',
  /** Of the service tier the upstream served, its speed, and the place it works at. */
  'tier',
  'speed',
  'place',
  /** Of the hours in which the call began. */
  'hours',
] as const;

export type FactorName = (typeof factorNames)[number];

/** What one unit price is multiplied from: exact decimals by name, in the order they are shown. */
export type Factors = Readonly<Partial<Record<FactorName, string>>>;

/** The ratio of written cache where neither the operator nor the price catalogue has one. */
export const DEFAULT_CREATE_CACHE_RATIO = 1.25;

/** Where the price of a model comes from: the operator's settings, the price catalogue, or nowhere. */
export const priceOrigins = ['unset', 'own', 'catalogue'] as const;

/** Tokens that may cost something else than words, or than what is cached of them. */
export const otherTokens = [
  'written_hour',
  'cached_audio',
  'cached_image',
  'audio_input',
  'audio_output',
  'image_input',
  'image_output',
] as const;

export type OtherTokens = (typeof otherTokens)[number];

import type { Operator } from '../../e2e/support/operator.ts';

/** An upstream's answer, used instead of a single word. */
export interface HeavyAnswer {
  readonly status?: number;
  /** Default: a stream of events. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Where calls are sent. */
export interface Site {
  readonly url: string;
  readonly key: string;
  readonly operator: Operator;
  /** The cookie of the super admin's session. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A call larger than any program sends, or as large as the largest ones. */
export interface HeavyCall {
  readonly name: string;
  readonly path: string;
  /** Default: POST. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Created when it is sent, because all bodies together do not fit in memory. */
  body?(): Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signed in as the super admin, without a key. */
  readonly isSignedIn?: true;
  /** The upstream's answers, by path. */
  answer?(path: string): HeavyAnswer;
  /** Runs first and is not measured. */
  before?(site: Site): Promise<void>;
  /** Replaces the single request; returns a status. */
  ask?(site: Site): Promise<number>;
}

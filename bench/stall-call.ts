import type { Operator } from '../e2e/support/operator.ts';

/** What an upstream answers in place of a word. */
export interface HeavyAnswer {
  readonly status?: number;
  /** A stream of events unless told. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Where calls are sent. */
export interface Site {
  readonly url: string;
  readonly key: string;
  readonly operator: Operator;
  /** Of the super admin's session. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One call that is more than any program sends, or as much as the largest ones do. */
export interface HeavyCall {
  readonly name: string;
  readonly path: string;
  /** POST unless told. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Made when it is sent: all of them together are more than fits in memory. */
  body?(): Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signed in as the super admin, in place of a key. */
  readonly isSignedIn?: true;
  /** What the upstream answers at this path. */
  answer?(path: string): HeavyAnswer;
  /** Done before, unmeasured. */
  before?(site: Site): Promise<void>;
  /** In place of one request; gives a status. */
  ask?(site: Site): Promise<number>;
}

import type { Channel } from '#core/channel/channel.ts';
import type { OutboundRequest } from '#core/outbound.ts';
import type { Task, TaskPlatform } from '#core/task/task.ts';

/** What an upstream said to a submission. */
export type Submitted =
  | {
      readonly kind: 'taken';
      readonly upstreamId: string;
      readonly code: number;
      /** It is done already: nothing to wait for. */
      readonly isDone?: boolean;
      readonly answer: (publicId: string) => unknown;
    }
  | {
      readonly kind: 'refused';
      /** Of the answer; 0 where none came. */
      readonly status: number;
      readonly code: number;
      readonly message: string;
      readonly answer: unknown;
      /** Another channel may take it. */
      readonly isWorthAnother: boolean;
      /** The channel has nobody left to draw. */
      readonly isExhausted: boolean;
    };

/** A task to be handed to an upstream. */
export interface Submission {
  readonly platform: TaskPlatform;
  readonly types: ReadonlySet<number>;
  readonly model: string;
  readonly action: string;
  readonly prompt: string;
  readonly state: string;
  readonly notifyHook: string;
  /** Where the caller reached this site. */
  readonly reachedAt: string;
  /** It goes on from this task, at the channel that made it. */
  readonly origin: Task | undefined;
  readonly userAgent: string | undefined;
  /** The caller's body: its texts are checked for sensitive words. */
  readonly given: Readonly<Record<string, unknown>>;
  request(channel: Channel): OutboundRequest;
  read(status: number, body: unknown): Submitted;
}

/** The channel a task is handed to, and the group that pays. */
export interface Chosen {
  readonly channel: Channel;
  readonly group: string;
}

import { join } from 'node:path';
import { spawnServer } from '../spawn-server.ts';

/** A mail that the server accepted. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: string;
  /** The whole message, headers first. */
  readonly text: string;
}

export interface MailServer {
  /** Of its SMTP side, on this machine. */
  readonly port: number;
  /** Its certificate as PEM, for clients that should trust it. */
  readonly root: string;
  mails(): Promise<readonly TakenMail[]>;
  stop(): Promise<void>;
}

/** Starts the SMTP server as a process. */
export const startMailServer = async (flags: readonly string[] = []): Promise<MailServer> => {
  const server = await spawnServer(join(import.meta.dirname, 'main.ts'), flags);
  const ask = async () =>
    (await (await fetch(server.url)).json()) as { port: number; root: string; mails: readonly TakenMail[] };
  const { port, root } = await ask();
  return { port, root, mails: async () => (await ask()).mails, stop: server.stop };
};

import { type Kysely, sql } from 'kysely';
import type { Database, PostgresDatabase } from './database.ts';
import { createEar } from './postgres/ear.ts';
import type { Schema } from './schema.ts';

/** Data that nodes cache. */
export type ChangeKind = 'channels' | 'options' | 'users' | 'tokens';

type Listener = (kind: ChangeKind) => void;

/** Informs every node that data it may have cached has changed. */
export interface ChangeFeed {
  /**
   * Must be called after the change is committed. Listeners on this node are called before it returns. If it rejects, it is
   * tried again until the change is known.
   */
  announce(kind: ChangeKind): Promise<void>;
  /** @returns a function that stops listening */
  watch(listener: Listener): () => void;
  close(): Promise<void>;
}

const NOTICE = 'tollgate_changes';
/** If a notification is lost, the next poll detects the change. */
const LOOK_EVERY_MS = 2000;

const createListeners = () => {
  const listeners = new Set<Listener>();
  return {
    tell: (kind: ChangeKind) => {
      for (const listener of listeners) listener(kind);
    },
    watch: (listener: Listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

const bump = async (writer: Kysely<Schema>, kind: ChangeKind): Promise<number> => {
  const { version } = await writer
    .insertInto('changes')
    .values({ kind, version: 1 })
    .onConflict((conflict) =>
      conflict.column('kind').doUpdateSet({ version: sql<number>`changes.version + 1` }),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
};

const createSharedFeed = async (database: PostgresDatabase): Promise<ChangeFeed> => {
  const { tell, watch } = createListeners();
  const seen = new Map<string, number>();
  /** Remembers the version. Returns whether it is a new one. */
  const note = (kind: string, version: number): boolean => {
    if (version <= (seen.get(kind) ?? 0)) return false;
    seen.set(kind, version);
    return true;
  };
  const newKinds = async (): Promise<ChangeKind[]> => {
    const rows = await database.writer.selectFrom('changes').selectAll().execute();
    return rows.filter(({ kind, version }) => note(kind, version)).map(({ kind }) => kind as ChangeKind);
  };
  const look = async () => {
    for (const kind of await newKinds()) tell(kind);
  };
  const lookQuietly = () => void look().catch(() => {});
  /** Changes that are committed, but whose announcement failed: nobody else will speak of them. */
  const unsaid = new Set<ChangeKind>();
  const say = async (kind: ChangeKind): Promise<void> => {
    unsaid.add(kind);
    const version = await bump(database.writer, kind);
    unsaid.delete(kind);
    if (note(kind, version)) tell(kind);
    await sql`SELECT pg_notify(${NOTICE}, ${kind})`.execute(database.writer);
  };
  const ear = createEar(database, NOTICE, lookQuietly);
  await ear.open();
  // Changes from before this start concern nobody here.
  await newKinds();
  const timer = setInterval(() => {
    void ear.open().then(lookQuietly);
    for (const kind of unsaid) say(kind).catch(() => {});
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    announce: say,
    watch,
    close: async () => {
      clearInterval(timer);
      await ear.close();
    },
  };
};

/** The feed of a database: in-process on SQLite, which has one node; between nodes on PostgreSQL. */
export const createChangeFeed = async (database: Database): Promise<ChangeFeed> =>
  database.engine === 'postgres' ? createSharedFeed(database) : createOwnFeed();

/** A feed that only this process listens to. */
export const createOwnFeed = (): ChangeFeed => {
  const { tell, watch } = createListeners();
  return { announce: async (kind) => tell(kind), watch, close: async () => {} };
};

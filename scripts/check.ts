import { readingStages, unitTests } from './check-stages.ts';
import { runStages } from './stage.ts';

/** The stages that need no browser and no server, the longest first. */
process.exitCode = await runStages([...unitTests, ...readingStages]);

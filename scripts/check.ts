import { checkStages } from './check-stages.ts';
import { runStages } from './stage.ts';

process.exitCode = await runStages(checkStages);

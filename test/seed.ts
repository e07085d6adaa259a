import { setFlagsFromString } from 'node:v8';
import fc from 'fast-check';

/**
 * Before every test file: properties draw from one seed, so that a run on any machine is the same run, and what fails
 * here fails there. `ORBWEAVER_SEED=N npm test` tries other cases; a failure prints the seed and path that repeat it.
 * Tests that give a seed of their own keep it.
 */
fc.configureGlobal({ seed: Number(process.env['ORBWEAVER_SEED'] ?? 20080729) });

// Most code runs here a few times in many files: to optimise it later than a long run would saves a twentieth.
setFlagsFromString('--interrupt-budget=1000000');

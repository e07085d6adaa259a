import type { CheckedRun, PlacedRun, SettingsForms } from '../api.ts';
import type { RunCommand } from './run-starter.ts';

/** What the command line knows: settings, and how they are written as a command. */
export interface RunMaker {
  forms(): Promise<SettingsForms>;
  /** @throws InputError, with the setting's dotted name as field. */
  check(run: PlacedRun): Promise<CheckedRun & RunCommand>;
}

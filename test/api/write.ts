import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuiltDoors, doors, reportOf, root } from './doors.ts';

/** Writes the report of each public door, from what `npm run build` has made. */
const built = new BuiltDoors();
for (const door of doors) writeFileSync(join(root, door.report), reportOf(built, door));

import type { ControlBody } from '../../../service/dashboard/api.ts';
import * as client from '../../client.ts';

/** Sends a request to a run; resolves with what went wrong, or ''. */
export async function asked(id: string, body: ControlBody): Promise<string> {
  try {
    await client.control(id, body);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

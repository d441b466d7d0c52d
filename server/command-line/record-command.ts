/** Records the changes that a command makes in a project. */
import { hostname, userInfo } from 'node:os'
import * as activity from '../areas/activity/service.ts'
import type { Runtime } from '../kernel/runtime.ts'

export function recordCommand<Result>(
  runtime: Runtime,
  { name, values }: { name: string; values: unknown },
  work: () => Promise<Result>,
): Promise<Result> {
  const { project, reason, note = reason }: Record<string, unknown> = Object(values)
  const acting = {
    // Without the option, the result of the transaction may name the project.
    project_id: typeof project === 'string' ? project : null,
    otherwise: activity.INSTALLATION,
    ...(typeof note === 'string' && { note }),
    act: { address: `${userInfo().username}@${hostname()}`, input: activity.inputOf(values) },
    entry_point: 'command_line',
    mode: null,
    actor_kind: 'operator',
    actor_id: null,
    operation: name,
    request_id: null,
    path_id: null,
  } as const
  return activity.record(runtime, { acting, work })
}

/** The missing requirements of a rail, each with a link to the page where it is completed. */
import { Link } from '@tanstack/react-router'
import { ArrowRight, Circle } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import type { Rail } from './queries.ts'

type Task = Rail['missing'][number]

const linkClass =
  'inline-flex items-center gap-1 font-medium text-accent no-underline hover:underline'

export function RailTasks({ missing }: { missing: readonly Task[] }) {
  return (
    <ul className="mt-4 flex flex-col gap-2 border-t border-line pt-4">
      {missing.map((task) => (
        <li key={task.code} className="flex items-start gap-2.5">
          <Circle className="mt-0.75 size-4 shrink-0 text-faint" aria-hidden="true" />
          <TaskLine task={task} />
        </li>
      ))}
    </ul>
  )
}

function TaskLine({ task: { code, task } }: { task: Task }) {
  const { link } = useProjectScope()
  const arrow = <ArrowRight className="size-3.5 shrink-0" aria-hidden="true" />
  if (code === 'spending_cap' || code.startsWith('payment_')) {
    return (
      <Link to={link('/billing')} className={linkClass}>
        {task} {arrow}
      </Link>
    )
  }
  if (code === 'company_details' || code.startsWith('level.')) {
    return (
      <Link to={link('/company')} className={linkClass}>
        {task} {arrow}
      </Link>
    )
  }
  return <span>{task}</span>
}

/**
 * Missing requirements, each with a link to the page where it is completed, or with the address of
 * the operator if only the operator can complete it.
 */
import { Link } from '@tanstack/react-router'
import { ArrowRight, Circle, Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import type { Task } from './queries.ts'
import { taskTexts } from './task-texts.ts'

export interface TaskItem {
  task: Task
  /** The rails that need it, if it is not listed at its rail. */
  needed_by?: string
}

export interface RailTasksProps {
  items: readonly TaskItem[]
  /** Null if this installation has not configured one. */
  operator_email: string | null
}

const linkClass =
  'inline-flex items-center gap-1 font-medium text-accent no-underline hover:underline'

export function RailTasks({ items, operator_email }: RailTasksProps) {
  return (
    <ul className="flex flex-col gap-3">
      {items.map(({ task, needed_by }) => (
        <li key={`${task.code} ${task.task}`} className="flex items-start gap-2.5">
          <Circle className="mt-0.75 size-4 shrink-0 text-faint" aria-hidden="true" />
          <div className="min-w-0 flex-1">
            <TaskLine task={task} />
            {needed_by !== undefined && <p className="text-sm text-muted">{needed_by}</p>}
            {task.done_by === 'operator' && <Operator email={operator_email} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

function TaskLine({ task: { code, task } }: { task: Task }) {
  const t = useTexts(taskTexts)
  const { link } = useProjectScope()
  const text = t(code, { task })
  if (code === 'spending_cap' || code.startsWith('payment_')) {
    return <PageLink to={link('/billing')}>{text}</PageLink>
  }
  if (code === 'plan') return <PageLink to={link('/billing/plan')}>{text}</PageLink>
  if (code === 'company_details') return <PageLink to={link('/company')}>{text}</PageLink>
  if (code === 'phone_verification' || code.startsWith('level.')) {
    return <PageLink to={link('/verification')}>{text}</PageLink>
  }
  return <p>{text}</p>
}

function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={linkClass}>
      {children} <ArrowRight className="size-3.5 shrink-0" aria-hidden="true" />
    </Link>
  )
}

function Operator({ email }: { email: string | null }) {
  const t = useTexts(taskTexts)
  if (email === null) return <p className="text-sm text-muted">{t('operator')}</p>
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
      <Mail className="size-3.5 shrink-0" aria-hidden="true" />
      {t('operator_at')}
      <a href={`mailto:${encodeURIComponent(email)}`} className="break-all text-accent">
        {email}
      </a>
    </p>
  )
}
